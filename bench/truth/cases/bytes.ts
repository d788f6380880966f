// Bytes that are converted or copied for nothing.
import { dedent } from '../../../analysis/testing/dedent.ts';
import type { TruthCase } from '../case.ts';
import { edit, pairOfWork } from '../checks.ts';
import { served } from './shared.ts';

/** Stands in for a store that answers at once. */
const PHOTOS = {
  'photos.js': dedent`
    const photo = new Uint8Array(200000).map((_, i) => (i * 7919) & 255);
    const rows = Array.from({ length: 40 }, (_, id) => ({ id, about: 'Größe „漢字“ '.repeat(1000) }));
    exports.photos = {
      get: async (name) => new Response(photo, { headers: { 'x-name': name } }),
      icon: async (name) => new Response(photo.subarray(0, 2000), { headers: { 'x-name': name } }),
      list: async (name) => rows.filter(({ id }) => id >= name.length - 1),
    };
  `,
  'about.txt': 'A lake in the north.\n',
};
const REQUIRED = dedent`
  const { createHash } = require('node:crypto');
  const { readFile } = require('node:fs/promises');
  const { photos } = require('./photos.js');
`;

const withPhotos = (statements: string, request = 'GET /'): Pick<TruthCase, 'files' | 'target'> => {
  const { files, target } = served(REQUIRED, statements, request);
  return { files: { ...files, ...PHOTOS }, target };
};
const finding = (messageId: string, at: string) => ({ ruleId: 'no-buffer-copy', messageId, at });
const BY_BYTE = "btoa(bytes.reduce((all, byte) => all + String.fromCharCode(byte), ''))";

export const cases: readonly TruthCase[] = [
  {
    name: 'a text made of an image byte by byte',
    ...withPhotos(
      dedent`
        const answer = await photos.get('lake');
        const bytes = new Uint8Array(await answer.arrayBuffer());
        res.end(${BY_BYTE});
      `,
    ),
    finding: finding('single', 'bytes.reduce'),
    truth: 'confirmed',
    established: [pairOfWork(edit(BY_BYTE, "Buffer.from(bytes).toString('base64')"))],
  },
  {
    name: 'a text encoded for its length',
    ...withPhotos(
      dedent`
        const answer = await photos.list('lake');
        const size = Buffer.from(JSON.stringify(answer)).length;
        res.end(JSON.stringify({ size }));
      `,
    ),
    finding: finding('encoded', 'Buffer.from'),
    truth: 'confirmed',
    established: [pairOfWork(edit('Buffer.from(JSON.stringify(answer)).length', 'Buffer.byteLength(JSON.stringify(answer))'))],
  },
  {
    name: 'a copy of two thousand bytes',
    ...withPhotos(
      dedent`
        const answer = await photos.icon('lake');
        const icon = Buffer.from(new Uint8Array(await answer.arrayBuffer()));
        res.end(createHash('sha512').update(icon).digest('hex'));
      `,
    ),
    finding: finding('copied', 'Buffer.from'),
    truth: 'seen',
    established: [pairOfWork(edit('Buffer.from(new Uint8Array(await answer.arrayBuffer()))', 'Buffer.from(await answer.arrayBuffer())'))],
  },
  {
    name: 'a short file decoded and encoded again',
    ...withPhotos('const text = await readFile(`.${req.url}.txt`, "utf8");\nres.end(text);', 'GET /about'),
    finding: finding('decoded', 'await readFile'),
    truth: 'seen',
    established: [pairOfWork(edit('.txt`, "utf8")', '.txt`)'))],
  },
];
