// What a race leaves behind whose timer nobody clears: bytes of the heap per race, after a forced collection, while the timers wait.
//   node --expose-gc bench/lost-races.js
const RACES = 10_000;
const WAIT_MS = 30_000;

const heap = () => {
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
};
const late = () => new Error('late');

const lost = () => Promise.race([Promise.resolve(1), new Promise((_, reject) => setTimeout(() => reject(late()), WAIT_MS))]);
const cleared = () => {
  let timer;
  const tooLate = new Promise((_, reject) => {
    timer = setTimeout(() => reject(late()), WAIT_MS);
  });
  return Promise.race([Promise.resolve(1), tooLate]).finally(() => clearTimeout(timer));
};

async function bytesOf(race) {
  const before = heap();
  for (let i = 0; i < RACES; i++) race();
  await new Promise(setImmediate);
  return Math.round((heap() - before) / RACES);
}

await bytesOf(cleared);
console.log(`${process.version}: cleared ${await bytesOf(cleared)}, lost ${await bytesOf(lost)} bytes per race`);
process.exit();
