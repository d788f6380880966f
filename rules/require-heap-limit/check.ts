// Finds the containers of a project that have a memory limit, and what limits the heap in each.
import { parseCompose, overlay, type ComposeService } from '../../analysis/deployment/compose.ts';
import { likelyContexts } from '../../analysis/deployment/container.ts';
import { baseImage, imageOf, parseDockerfile, withoutTag, type DockerBuild } from '../../analysis/deployment/dockerfile.ts';
import { runImage } from '../../analysis/deployment/image-start.ts';
import { parseManifests, type Container } from '../../analysis/deployment/kubernetes.ts';
import { UNSET, type Place, type Start } from '../../analysis/deployment/launch.ts';
import { dockerBytes, type MemoryLimit } from '../../analysis/deployment/memory-limit.ts';
import { basename, dirname, join, purposeOf, relativeTo, toSlashes } from '../../analysis/deployment/paths.ts';
import { ProjectFiles } from '../../analysis/deployment/project-files.ts';
import type { DeploymentContext } from '../../analysis/rule.ts';
import type { Related } from '../../protocol/finding.ts';
import type { DeploymentKind } from '../../protocol/project.ts';
import {
  baseOf,
  heapLimitAt,
  maySetHeapLimit,
  missesCgroup2,
  nodeVersionOf,
  type HeapLimit,
  type LimitedContainer,
  type MessageId,
} from './container.ts';

const MIB = 2 ** 20;
/** Up to here, the heap limit that Node takes is at least the memory of the container. */
const SMALL = 256 * MIB;
/** The largest heap limit that Node takes by itself, on any machine. */
const LARGEST_DEFAULT = 4096 * MIB;
/** Of 512 MB and more: what Node's documentation advises, 1,536 MB of 2 GB. In small containers, what is not heap takes a larger share. */
const SHARE = 0.75;
const SMALL_SHARE = 0.625;
const BASE_NAMES = ['docker-compose.yml', 'docker-compose.yaml', 'compose.yml', 'compose.yaml'];
const DOCKER_RUN = /\bdocker\s+(?:container\s+)?run\b[^&|;]{0,2000}/g;
const DOCKER_MEMORY = /\s(?:-m|--memory)[ =]?(\d[\w.]{0,20})(?=\s)/;

export class HeapCheck {
  readonly #context: DeploymentContext<MessageId>;
  readonly #files: ProjectFiles;
  readonly #builds = new Map<string, DockerBuild | undefined>();
  readonly #seen = new Set<string>();

  constructor(context: DeploymentContext<MessageId>) {
    this.#context = context;
    this.#files = new ProjectFiles(context.project);
  }

  run(): void {
    for (const path of this.#paths('compose')) for (const container of this.#services(path)) this.#check(container);
    for (const path of this.#paths('kubernetes')) for (const container of this.#containers(path)) this.#check(container);
    for (const path of this.#paths('package-json')) this.#checkScripts(path);
  }

  /** The files of a kind that are not for development alone. */
  #paths(kind: DeploymentKind): string[] {
    return this.#files.files
      .filter((file) => file.kind === kind)
      .map((file) => toSlashes(file.path))
      .filter((path) => purposeOf(relativeTo(this.#files.root, path)) !== 'development');
  }

  *#services(path: string): Generator<LimitedContainer> {
    const text = this.#files.readText(path) ?? '';
    if (!/mem_limit|memory/.test(text)) return;
    const read = (other: string) => this.#files.readText(other);
    // `docker compose -f docker-compose.yml -f docker-compose.prod.yml up`
    const under = BASE_NAMES.map((name) => join(dirname(path), name)).find((base) => base !== path && this.#files.has(base));
    const isOver = under !== undefined && !BASE_NAMES.includes(basename(path));
    const below = isOver ? parseCompose(under, this.#files.readText(under) ?? '', read) : [];
    for (const own of parseCompose(path, text, read)) {
      const base = below.find((service) => service.name === own.name);
      const service = base ? overlay(base, own) : own;
      if (!service.memory || service.isDevelopment || service.mountsSources) continue;
      yield {
        subject: `the service \`${service.name}\``,
        memory: service.memory,
        nodeOptions: service.nodeOptions,
        commandPlace: service.commandSpan && { path, span: service.commandSpan },
        isOpen: service.envFiles.some(
          (file) => file === undefined || !this.#files.has(file) || maySetHeapLimit(this.#files.readText(file)),
        ),
        image: service.image,
        build: this.#buildOf(service),
        entrypoint: service.entrypoint,
        command: service.command,
      };
    }
  }

  #buildOf({ build }: ComposeService): LimitedContainer['build'] {
    const parsed = build && this.#dockerfile(build.dockerfile);
    if (!build || !parsed) return undefined;
    const named = parsed.stages.findIndex((stage) => build.target !== undefined && stage.name === build.target.toLowerCase());
    return {
      build: parsed,
      stage: named >= 0 ? named : parsed.stages.length - 1,
      args: build.args,
      contexts: [...new Set([build.context, ...likelyContexts(dirname(parsed.path), this.#files.root)])],
    };
  }

  *#containers(path: string): Generator<LimitedContainer> {
    const text = this.#files.readText(path) ?? '';
    if (!text.includes('memory')) return;
    for (const container of parseManifests(path, text, new Map())) {
      if (!container.memory || container.chart !== undefined || purposeOf(container.name) === 'development') continue;
      yield {
        subject: `the container \`${container.name}\``,
        memory: container.memory,
        nodeOptions: container.nodeOptions,
        commandPlace: container.commandSpan && { path, span: container.commandSpan },
        isOpen: container.hasEnvFrom || (container.nodeOptions !== undefined && container.nodeOptions.text === ''),
        image: container.image,
        build: this.#buildNamedLike(container),
        entrypoint: container.command,
        command: container.args,
      };
    }
  }

  /** The only Dockerfile of the project, if the image or the container has the name of its folder or of its package. */
  #buildNamedLike(container: Container): LimitedContainer['build'] {
    const paths = this.#paths('dockerfile');
    const parsed = paths.length === 1 && paths[0] !== undefined ? this.#dockerfile(paths[0]) : undefined;
    if (!parsed) return undefined;
    const folder = dirname(parsed.path);
    const names = new Set([basename(folder), basename(this.#files.nearestManifest(folder)?.name ?? '')]);
    if (!names.has(basename(withoutTag(container.image ?? ''))) && !names.has(container.name)) return undefined;
    return {
      build: parsed,
      stage: parsed.stages.length - 1,
      args: new Map(),
      contexts: likelyContexts(folder, this.#files.root),
    };
  }

  #dockerfile(path: string): DockerBuild | undefined {
    if (!this.#builds.has(path)) {
      const text = this.#files.readText(path);
      this.#builds.set(path, text === undefined ? undefined : parseDockerfile(path, text));
    }
    return this.#builds.get(path);
  }

  #check(container: LimitedContainer): void {
    const { build, memory } = container;
    const base = build ? baseOf(build.build, build.stage) : { image: container.image ?? '', nodeOptions: undefined };
    const starts = this.#startsOf(container).filter((start) => !start.isDevelopment && (start.entry !== undefined || start.mayBeUnseen));
    const places: (Place | undefined)[] = [
      ...starts.map((start) => start.place),
      container.commandPlace,
      container.nodeOptions ?? base.nodeOptions,
    ];
    // A flag of the command wins over NODE_OPTIONS.
    const limit = places.map((place) => heapLimitAt(place, this.#files)).find(Boolean);
    if (limit) {
      if (limit.size * MIB >= memory.bytes) this.#reportAbove(container.subject, memory, limit);
      return;
    }
    if (container.isOpen || starts.length === 0 || this.#maySetLimit(starts)) return;
    const version = nodeVersionOf(base.image);
    if (version !== undefined && missesCgroup2(version) && memory.bytes < LARGEST_DEFAULT)
      this.#report(memory, 'unseen', { ...dataOf(container.subject, memory), version });
    else if (memory.bytes <= SMALL) this.#report(memory, 'small', dataOf(container.subject, memory), 'hint');
  }

  #startsOf({ build, image, entrypoint, command }: LimitedContainer): readonly Start[] {
    const override = { entrypoint, command };
    if (build)
      return runImage(imageOf(build.build, build.stage, build.args), build.build.text, UNSET, build.contexts, override, this.#files).starts;
    if (image === undefined) return [];
    const { root } = this.#files;
    return runImage(baseImage('', image), '', UNSET, likelyContexts(root, root), override, this.#files).starts;
  }

  /** Whether something in the project sets the limit in a way that was not followed. */
  #maySetLimit(starts: readonly Start[]): boolean {
    const read = starts.flatMap((start) => [start.entry, start.place.path, ...start.via.map(({ path }) => path)]);
    return (
      this.#files.files.some((file) => maySetHeapLimit(file.text)) ||
      maySetHeapLimit(this.#files.readText(join(this.#files.root, '.npmrc'))) ||
      read.some((path) => path !== undefined && maySetHeapLimit(this.#files.readText(path)))
    );
  }

  /** `docker run -m 512m … --max-old-space-size=4096` in a script of package.json. */
  #checkScripts(path: string): void {
    const text = this.#files.readText(path) ?? '';
    if (!text.includes('docker')) return;
    for (const script of this.#files.manifestAt(path)?.scripts.values() ?? [])
      for (const match of script.text.matchAll(DOCKER_RUN)) {
        const written = DOCKER_MEMORY.exec(match[0])?.[1] ?? '';
        const bytes = dockerBytes(written);
        const span = { start: script.offsets[match.index] ?? 0, end: script.offsets[match.index + match[0].length] ?? 0 };
        const limit = heapLimitAt({ path, span }, this.#files);
        if (bytes === undefined || !limit || limit.size * MIB < bytes) continue;
        const at = text.indexOf(written, span.start);
        this.#reportAbove('the container', { path, span: { start: at, end: at + written.length }, text: written, bytes }, limit);
      }
  }

  #reportAbove(subject: string, memory: MemoryLimit, limit: HeapLimit): void {
    const data = { ...dataOf(subject, memory), flag: `\`--max-old-space-size=${limit.size}\`` };
    const file = this.#files.findFile(limit.path);
    const key = `${limit.path} ${limit.span.start}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    if (!file)
      return this.#report(memory, 'above', data, undefined, [
        { file: limit.path, span: limit.span, message: 'the heap limit is set here' },
      ]);
    this.#context.report({
      file,
      at: limit.span,
      messageId: 'above',
      data,
      related: [{ file: memory.path, span: memory.span, message: 'the memory limit of the container' }],
      fixes: [{ title: `Change it to ${data.fit}`, kind: 'suggestion', edits: [{ ...limit.span, text: data.fit }] }],
    });
  }

  #report(
    memory: MemoryLimit,
    messageId: MessageId,
    data: Record<string, string>,
    severity?: 'hint',
    related: readonly Related[] = [],
  ): void {
    const file = this.#files.findFile(memory.path);
    const key = `${memory.path} ${memory.span.start}`;
    if (!file || this.#seen.has(key)) return;
    this.#seen.add(key);
    this.#context.report({ file, at: memory.span, messageId, data, severity, related });
  }
}

function dataOf(subject: string, { bytes }: MemoryLimit): { subject: string; Subject: string; limit: string; fit: string } {
  const limit = bytes / MIB;
  const fit = Math.floor(limit * (bytes <= SMALL ? SMALL_SHARE : SHARE));
  const Subject = `T${subject.slice(1)}`;
  return { subject, Subject, limit: `${limit < 10 ? limit.toFixed(1) : Math.round(limit).toLocaleString('en-US')} MB`, fit: String(fit) };
}
