#!/usr/bin/env node
'use strict';
const { saveBooks } = require('../lib/store');

saveBooks([{ id: '1', title: 'The Node Book' }, { id: '2', title: 'Event Loops' }]);
