// A program answers the same before and after each fix, on the Node that runs the tests.
import { describeBehavior } from './behavior.ts';

describeBehavior('a program answers the same after a fix', () => Promise.resolve(process.execPath));
