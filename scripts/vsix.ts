// Reads a .vsix, which is a zip file: names, sizes and contents, from its central directory.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inflateRawSync } from 'node:zlib';

/** Signatures and offsets are those of the zip format (PKWARE APPNOTE 6.3, sections 4.3.12 and 4.3.16). */
const END = 0x06054b50;
const ENTRY = 0x02014b50;
const DEFLATED = 8;

/** Path inside the .vsix to contents. */
export function readVsix(file: string): Map<string, Buffer> {
  const zip = readFileSync(file);
  let end = zip.length - 22;
  while (end >= 0 && zip.readUInt32LE(end) !== END) end--;
  if (end < 0) throw new Error(`${file} is no zip file`);
  const entries = new Map<string, Buffer>();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    if (zip.readUInt32LE(at) !== ENTRY) throw new Error(`${file} is damaged at ${at}`);
    const [nameLength, extraLength, commentLength] = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30), zip.readUInt16LE(at + 32)];
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const header = zip.readUInt32LE(at + 42);
    const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
    const packed = zip.subarray(start, start + zip.readUInt32LE(at + 20));
    if (!name.endsWith('/')) entries.set(name, zip.readUInt16LE(at + 10) === DEFLATED ? inflateRawSync(packed) : packed);
    at += 46 + nameLength + extraLength + commentLength;
  }
  return entries;
}

/** Writes the files of the extension itself, as VS Code does when it installs it. */
export function unpack(entries: ReadonlyMap<string, Buffer>, folder: string): void {
  for (const [name, contents] of entries) {
    if (!name.startsWith('extension/')) continue;
    const target = join(folder, name.slice('extension/'.length));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, contents);
  }
}
