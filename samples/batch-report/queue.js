/**
 * Takes the rows off a queue, one after another.
 * @profile drain(Array.from({ length: 500_000 }))
 */
export async function drain(rows) {
  const queue = [...rows];
  let open = true;
  const timer = setTimeout(() => {
    open = false;
  }, 50);
  while (open && queue.length > 0) {
    // @3 no-microtask-starvation: longLoop (confirmed)
    queue.pop();
    await null;
  }
  clearTimeout(timer);
}

/** Tries again in the next turn of the event loop: timers and I/O come between. */
export function poll(isReady, done) {
  if (isReady()) done();
  else setImmediate(poll, isReady, done);
}
