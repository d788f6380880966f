// Kubernetes manifests: the containers of workloads, and the NODE_ENV of each.
import type { Edit, Span } from '../../protocol/finding.ts';
import type { CommandText } from './command-text.ts';
import { UNKNOWN, type EnvState } from './launch.ts';
import { kubernetesBytes, memoryAt, nodeAt, type MemoryLimit, type Setting } from './memory-limit.ts';
import { indentBefore, indentStep, insertBeforeKey, lineBreakOf } from './yaml-edits.ts';
import { YamlFile, isYamlList, isYamlMap, spanOf, type YamlDocument, type YamlNode } from './yaml-nodes.ts';

export interface Container {
  path: string;
  name: string;
  /** The container's `name: …` or `image: …` entry. */
  span: Span;
  image: string | undefined;
  env: EnvState | undefined;
  memory: MemoryLimit | undefined;
  nodeOptions: Setting | undefined;
  /** Whether maps or secrets add variables to the environment. */
  hasEnvFrom: boolean;
  command: CommandText | undefined;
  commandSpan: Span | undefined;
  args: CommandText | undefined;
  addition: Edit | undefined;
  /** The chart that the template belongs to. What Helm makes of it is only known in part. */
  chart: string | undefined;
}

const WORKLOAD = /^(?:Deployment|StatefulSet|DaemonSet|ReplicaSet|ReplicationController|Pod|Service|Rollout|DeploymentConfig)$/;

/** Replaces text that only Helm knows. YAML allows this character, and nobody writes it. */
const HOLE = '\uE000';

/**
 * The template of a chart as YAML, with all positions unchanged: control lines become white space, `{{ .Values.image }}` becomes a word.
 */
function withoutTemplates(text: string): string {
  if (!text.includes('{{')) return text;
  // Go has no braces in braces. Without that, each one that is left open would be looked for to the end of the text.
  return text
    .replace(/^[ \t]*\{\{(?:(?!\}\}|\{\{)[^])*\}\}[ \t]*$/gm, (steering) => steering.replace(/[^\n\r]/g, ' '))
    .replace(/"\{\{(?:(?!\}\}|\{\{)[^\n])*\}\}"|\{\{(?:(?!\}\}|\{\{)[^\n])*\}\}/g, (hole) => HOLE.repeat(hole.length));
}

/** `charts/api/templates/deployment.yaml` → `api` */
function chartOf(path: string): string | undefined {
  return /(?<![^/])([^/]+)\/templates\/[^/]/.exec(path)?.[1];
}

/** NODE_ENV in the ConfigMaps of a file, by the name of the map. */
export function configMapsOf(path: string, text: string): Map<string, EnvState | undefined> {
  const file = new YamlFile(path, withoutTemplates(text));
  const maps = new Map<string, EnvState | undefined>();
  for (const document of file.documents) {
    if (file.scalar(file.find(document.contents, 'kind', document)?.value) !== 'ConfigMap') continue;
    const name = file.scalar(file.find(file.find(document.contents, 'metadata', document)?.value, 'name', document)?.value);
    const entry = file.find(file.find(document.contents, 'data', document)?.value, 'NODE_ENV', document);
    const value = file.scalar(entry?.value);
    if (name !== undefined)
      maps.set(
        name,
        value === undefined || !entry?.value ? undefined : { kind: 'value', value, place: file.place(file.valueSpan(entry.value)) },
      );
  }
  return maps;
}

export function parseManifests(path: string, text: string, configMaps: ReadonlyMap<string, EnvState | undefined>): Container[] {
  const file = new YamlFile(path, withoutTemplates(text));
  const isTemplate = text.includes('{{');
  // `env: {{ toYaml .Values.env | nindent 12 }}`
  const hidden = isTemplate && /\b(?:toYaml|range|tpl|envFrom|extraEnv\w*)\b/.test(text) ? UNKNOWN : undefined;
  return file.documents.flatMap((document) => {
    const kind = file.scalar(file.find(document.contents, 'kind', document)?.value);
    if (kind === undefined || !WORKLOAD.test(kind) || !file.find(document.contents, 'apiVersion', document)) return [];
    const spec = file.find(document.contents, 'spec', document)?.value;
    const podSpec = kind === 'Pod' ? spec : file.find(file.find(spec, 'template', document)?.value, 'spec', document)?.value;
    return file.items(file.find(podSpec, 'containers', document)?.value, document).flatMap((node) => {
      const container = readContainer(file, document, node, configMaps);
      if (!container) return [];
      return isTemplate ? { ...container, env: container.env ?? hidden, addition: undefined, chart: chartOf(path) ?? '' } : container;
    });
  });
}

function readContainer(
  file: YamlFile,
  document: YamlDocument,
  node: YamlNode,
  configMaps: ReadonlyMap<string, EnvState | undefined>,
): Container | undefined {
  const at = (key: string) => file.find(node, key, document);
  const name = at('name');
  const image = at('image');
  const head = name ?? image;
  if (!head?.value || !isYamlMap(node)) return undefined;
  const command = at('command');
  const args = at('args');
  return {
    path: file.path,
    name: file.scalar(name?.value) ?? file.scalar(image?.value) ?? '',
    span: { start: head.keySpan.start, end: spanOf(head.value).end },
    image: file.scalar(image?.value),
    env: environmentState(file, document, node, configMaps),
    memory: memoryAt(file, nodeAt(file, document, node, ['resources', 'limits', 'memory']), kubernetesBytes),
    nodeOptions: variableOf(file, document, node, 'NODE_OPTIONS'),
    hasEnvFrom: at('envFrom') !== undefined,
    command: file.command(command?.value, document),
    commandSpan: command?.value ? file.valueSpan(command.value) : undefined,
    args: file.command(args?.value, document),
    addition: addition(file, document, node),
    chart: undefined,
  };
}

function variableOf(file: YamlFile, document: YamlDocument, container: YamlNode, name: string): Setting | undefined {
  for (const item of file.items(file.find(container, 'env', document)?.value, document)) {
    if (file.scalar(file.find(item, 'name', document)?.value) !== name) continue;
    const value = file.find(item, 'value', document)?.value;
    // The value of `valueFrom` is in another file.
    return value ? { ...file.place(file.valueSpan(value)), text: file.scalar(value) ?? '' } : { ...file.place(spanOf(item)), text: '' };
  }
  return undefined;
}

function environmentState(
  file: YamlFile,
  document: YamlDocument,
  container: YamlNode,
  configMaps: ReadonlyMap<string, EnvState | undefined>,
): EnvState | undefined {
  for (const item of file.items(file.find(container, 'env', document)?.value, document)) {
    if (file.scalar(file.find(item, 'name', document)?.value) !== 'NODE_ENV') continue;
    const value = file.find(item, 'value', document);
    const text = file.scalar(value?.value);
    if (text !== undefined && value?.value)
      return /\$[({]|\{\{|\uE000/.test(text) ? UNKNOWN : { kind: 'value', value: text, place: file.place(file.valueSpan(value.value)) };
    const reference = file.find(file.find(item, 'valueFrom', document)?.value, 'configMapKeyRef', document)?.value;
    return configMaps.get(file.scalar(file.find(reference, 'name', document)?.value) ?? '') ?? UNKNOWN;
  }
  let state: EnvState | undefined;
  for (const item of file.items(file.find(container, 'envFrom', document)?.value, document)) {
    const name = file.scalar(file.find(file.find(item, 'configMapRef', document)?.value, 'name', document)?.value);
    // A secret, or a map that is defined elsewhere, may contain it.
    if (name === undefined || !configMaps.has(name)) state ??= UNKNOWN;
    else state = configMaps.get(name) ?? state;
  }
  return state;
}

function addition(file: YamlFile, document: YamlDocument, container: YamlNode): Edit | undefined {
  if (!isYamlMap(container) || container.flow) return undefined;
  const { text } = file;
  const env = file.find(container, 'env', document)?.value;
  if (env) {
    if (!isYamlList(env) || env.flow || env.items.length === 0) return undefined;
    const first = spanOf(env.items[0] as YamlNode).start;
    const dash = text.lastIndexOf('-', first - 1);
    return dash < 0 || !/^-[ \t]+$/.test(text.slice(dash, first))
      ? undefined
      : insertBeforeKey(text, dash, ['- name: NODE_ENV', '  value: production']);
  }
  // The first key follows the dash of the list. The second is on its own line.
  const second = container.items[1]?.key as YamlNode | undefined;
  const first = container.items[0]?.key as YamlNode | undefined;
  if (!first || !second) return undefined;
  const at = spanOf(second).start;
  const indent = indentBefore(text, at);
  if (indent === undefined) return undefined;
  const step = indentStep(text, at, at);
  const newline = `${lineBreakOf(text)}${indent}`;
  return { start: at, end: at, text: `env:${newline}${step}- name: NODE_ENV${newline}${step}  value: production${newline}` };
}
