// How much memory a container may have, and the NODE_OPTIONS of its environment, with their places.
import type { Place } from './launch.ts';
import type { YamlDocument, YamlFile, YamlNode } from './yaml-nodes.ts';

/** A value as it is written. */
export interface Setting extends Place {
  text: string;
}

export interface MemoryLimit extends Setting {
  bytes: number;
}

const KIB = 1024;
const BINARY: Readonly<Record<string, number>> = { b: 1, k: KIB, m: KIB ** 2, g: KIB ** 3, t: KIB ** 4 };
const DECIMAL: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, g: 1e9, t: 1e12 };

/** `512m`, `1.5gb`, `536870912`: Docker counts in powers of 1024. Undefined for variables and for no limit. */
export function dockerBytes(text: string): number | undefined {
  const match = /^(\d{1,15}(?:\.\d{1,9})?) ?(?:([bkmgt])(?:i?b)?)?$/i.exec(text.trim());
  const bytes = match ? Number(match[1]) * (BINARY[(match[2] ?? 'b').toLowerCase()] ?? 1) : 0;
  return bytes > 0 ? bytes : undefined;
}

/** `512Mi`, `1G`, `536870912`: quantities of Kubernetes. */
export function kubernetesBytes(text: string): number | undefined {
  const match = /^(\d{1,15}(?:\.\d{1,9})?)(?:([KMGT])i|([kMGT]))?$/.exec(text.trim());
  if (!match) return undefined;
  const unit = match[2] ? BINARY[match[2].toLowerCase()] : match[3] ? DECIMAL[match[3].toLowerCase()] : 1;
  const bytes = Number(match[1]) * (unit ?? 1);
  return bytes > 0 ? bytes : undefined;
}

export function memoryAt(
  file: YamlFile,
  node: YamlNode | undefined,
  bytesOf: (text: string) => number | undefined,
): MemoryLimit | undefined {
  const text = file.scalar(node);
  const bytes = text === undefined ? undefined : bytesOf(text);
  return text === undefined || bytes === undefined || !node ? undefined : { ...file.place(file.valueSpan(node)), text, bytes };
}

/** `deploy.resources.limits.memory`, `resources.limits.memory`: the node at a path of keys. */
export function nodeAt(file: YamlFile, document: YamlDocument, from: YamlNode | undefined, keys: readonly string[]): YamlNode | undefined {
  return keys.reduce<YamlNode | undefined>((node, key) => (node ? file.find(node, key, document)?.value : undefined), from);
}

/** A variable of a Compose environment: `NAME: value`, or `- NAME=value`. */
export function variableOf(file: YamlFile, document: YamlDocument, environment: YamlNode | undefined, name: string): Setting | undefined {
  const value = file.find(environment, name, document)?.value;
  const text = file.scalar(value);
  if (value && text !== undefined) return { ...file.place(file.valueSpan(value)), text };
  for (const item of file.items(environment, document)) {
    const written = file.scalar(item);
    if (written?.startsWith(`${name}=`)) return { ...file.place(file.valueSpan(item)), text: written.slice(name.length + 1) };
  }
  return undefined;
}
