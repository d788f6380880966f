// Reads one recording in a process of its own and tells what came out of it: `read-recording-child <file>`.
import { readRecording } from '../../workspace/production/read-recording.ts';

const path = process.argv[2] ?? '';
const breathe = async (): Promise<void> => undefined;
try {
  const { total, functions } = await readRecording({ path, shown: 'it', breathe });
  const [first] = [...functions].sort((a, b) => b.self - a.self);
  console.log(JSON.stringify({ total, functions: functions.length, first: first?.name }));
} catch (error) {
  console.log(JSON.stringify({ error: (error as Error).message }));
}
