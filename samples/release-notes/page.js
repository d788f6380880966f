// The page, for those who ask for one. Every other start loads its template engine for nothing.
import pug from 'pug';
//              ^ no-slow-start: late (not by a run)

const TEMPLATE = 'each list, kind in notes\n  h2= kind\n  ul\n    each note in list\n      li= note';

/** @profile render(new Map([['fix', ['a']]])) */
export function render(notes) {
  return pug.render(TEMPLATE, { notes: Object.fromEntries(notes) });
}
