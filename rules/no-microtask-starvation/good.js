// Sums the values in rounds and gives way between two of them: timers, requests and files get their turn.

const PER_ROUND = 1000;

export function sumInRounds(values) {
  return new Promise((resolve) => {
    let total = 0;
    let at = 0;

    function round() {
      for (const end = Math.min(at + PER_ROUND, values.length); at < end; at += 1) total = (total + Math.sqrt(values[at])) % 1_000_003;
      if (at < values.length) setImmediate(round);
      else resolve(Math.round(total));
    }

    round();
  });
}
