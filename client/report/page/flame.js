// Call stacks as boxes: a tree for the keyboard and for who listens. Styles are set by script, one by one, which the page's policy allows.
import { callerOf, placeAmong, WALK_KEYS, walk } from '../flame-walk.ts';

/** @typedef {import('../report-view.ts').PageBox} PageBox */
/** @typedef {import('../flame-walk.ts').WalkKey} WalkKey */

const ROW_HEIGHT = 20;

/** @param {HTMLElement} tree */
export function showFlame(tree) {
  const [words, link, reset] = ['span', 'a', 'button'].map((name) => tree.parentElement?.querySelector(`.flame-words ${name}`));
  if (words instanceof HTMLElement && link instanceof HTMLElement && reset instanceof HTMLElement) fill(tree, { words, link, reset });
}

/** @param {HTMLElement} tree @param {Record<'words' | 'link' | 'reset', HTMLElement>} below */
function fill(tree, { words, link, reset }) {
  /** @type {PageBox[]} */
  const boxes = JSON.parse(tree.dataset['flame'] ?? '[]');
  const items = boxes.map((box, index) => {
    const item = document.createElement('div');
    const { place, of } = placeAmong(boxes, index);
    item.className = box.owner;
    item.textContent = box.name;
    item.title = box.words;
    item.tabIndex = index === 0 ? 0 : -1;
    item.setAttribute('role', 'treeitem');
    item.setAttribute('aria-label', box.words);
    item.setAttribute('aria-level', String(box.depth + 1));
    item.setAttribute('aria-posinset', String(place));
    item.setAttribute('aria-setsize', String(of));
    item.style.top = `${box.depth * ROW_HEIGHT}px`;
    item.dataset['index'] = String(index);
    return item;
  });
  const end = Math.max(...boxes.map(({ from, total }) => from + total));
  let current = 0;
  /** @type {number | undefined} */
  let enlarged;

  /** @param {number | undefined} index of the box that is as wide as the page; undefined for all */
  function enlarge(index) {
    enlarged = index;
    const whole = index === undefined ? undefined : boxes[index];
    const [left, width] = [whole?.from ?? 0, whole?.total ?? end];
    for (const [one, box] of boxes.entries()) {
      const item = items[one];
      if (!item) continue;
      const from = Math.max(0, (box.from - left) / width);
      const to = Math.min(1, (box.from + box.total - left) / width);
      // A rounding error is no width.
      item.hidden = to - from < 1e-9;
      item.style.left = `${from * 100}%`;
      item.style.width = `${(to - from) * 100}%`;
    }
    const deepest = Math.max(...boxes.filter((_, one) => !items[one]?.hidden).map(({ depth }) => depth));
    tree.style.height = `${(deepest + 1) * ROW_HEIGHT}px`;
    reset.hidden = index === undefined;
  }

  /** @param {number} index @param {boolean} isFocused */
  function select(index, isFocused) {
    const [before, item, box] = [items[current], items[index], boxes[index]];
    if (!before || !item || !box) return;
    before.tabIndex = -1;
    before.removeAttribute('aria-selected');
    item.tabIndex = 0;
    item.setAttribute('aria-selected', 'true');
    current = index;
    words.textContent = box.words;
    link.hidden = box.place === undefined;
    link.textContent = box.link ?? '';
    link.title = box.link ?? '';
    link.dataset['place'] = String(box.place ?? '');
    if (isFocused) item.focus();
  }

  /** What is outside of the enlarged box is not there to be walked to. @param {WalkKey} key */
  function go(key) {
    const next = walk(boxes, current, key);
    if (items[next]?.hidden) return;
    select(next, true);
  }

  /** @param {Event} event */
  const indexOf = ({ target }) =>
    target instanceof HTMLElement && target.dataset['index'] !== undefined ? Number(target.dataset['index']) : undefined;

  tree.addEventListener('focusin', (event) => {
    const index = indexOf(event);
    if (index !== undefined && index !== current) select(index, false);
  });
  tree.addEventListener('click', (event) => {
    const index = indexOf(event);
    if (index === undefined) return;
    select(index, true);
    enlarge(index === enlarged ? callerOf(boxes, index) : index);
  });
  tree.addEventListener('keydown', (event) => {
    const { key } = event;
    if (WALK_KEYS.some((one) => one === key)) go(/** @type {WalkKey} */ (key));
    else if (key === 'Enter' || key === ' ') enlarge(current);
    else if (key === 'Escape') enlarge(undefined);
    else return;
    event.preventDefault();
  });
  reset.addEventListener('click', () => {
    enlarge(undefined);
    items[current]?.focus();
  });
  tree.append(...items);
  enlarge(undefined);
  select(0, false);
}
