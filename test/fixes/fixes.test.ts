import { describeBehavior } from './behavior.ts';

describeBehavior('a program answers the same after a fix', () => Promise.resolve(process.execPath));
