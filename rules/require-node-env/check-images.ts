// Containers: Dockerfiles, the compose services and Kubernetes containers that run their images, and which of them lack the variable.
import type { DeploymentFile } from '../../protocol/project.ts';
import { overlay, parseCompose, type ComposeService } from '../../analysis/deployment/compose.ts';
import { likelyContexts } from '../../analysis/deployment/container.ts';
import {
  baseImage,
  imageOf,
  parseDockerfile,
  type DockerBuild,
  type Image,
  type Stage,
  withoutTag,
} from '../../analysis/deployment/dockerfile.ts';
import { addToDockerfile, keepArg, setAfterBuild, suggestion } from './fixes.ts';
import { NO_OVERRIDE, runImage, type Override } from '../../analysis/deployment/image-start.ts';
import type { Outcome } from '../../analysis/deployment/start-commands.ts';
import { configMapsOf, parseManifests, type Container } from '../../analysis/deployment/kubernetes.ts';
import type { EnvState, Via } from '../../analysis/deployment/launch.ts';
import { findMainServer, startScriptPlaces } from './check-scripts.ts';
import { basename, dirname, join, purposeOf, toSlashes } from '../../analysis/deployment/paths.ts';
import type { Scene } from './scene.ts';

interface Service extends ComposeService {
  file: DeploymentFile | undefined;
  purpose: 'development' | 'production' | undefined;
}

type ManifestContainer = Container & { file: DeploymentFile; purpose: 'development' | 'production' | undefined };

/** The image of a Dockerfile as one service, one container or `docker build` uses it. */
interface Built {
  build: DockerBuild;
  stageIndex: number;
  image: Image;
  contexts: readonly string[];
}

// How many folders above a package of a monorepo a compose file may still run its image.
const FOLDERS_ABOVE = 3;
const COMPOSE_NAMES = [
  'docker-compose.yml',
  'docker-compose.yaml',
  'compose.yml',
  'compose.yaml',
  'docker-compose.prod.yml',
  'docker-compose.production.yml',
  'docker-compose.prod.yaml',
  'compose.prod.yml',
  'compose.production.yml',
  'compose.prod.yaml',
];

export class ImageCheck {
  readonly #scene: Scene;
  readonly #builds = new Map<string, DockerBuild | undefined>();
  readonly #services: readonly Service[];
  readonly #containers: readonly ManifestContainer[];
  /** Containers in manifests of surrounding projects. They show whose image gets the variable, and are judged there. */
  readonly #containersAbove: readonly ManifestContainer[];
  /** Dockerfiles whose missing variable is reported in a compose file. */
  readonly #reportedInCompose = new Set<string>();

  constructor(scene: Scene) {
    this.#scene = scene;
    const hasDockerfile = scene.files.files.some((file) => file.kind === 'dockerfile');
    this.#services = [...this.#ownServices(), ...(hasDockerfile ? this.#servicesAbove() : [])];
    const manifests = [...scene.filesOf('kubernetes')];
    const above = hasDockerfile
      ? (scene.context.project.around ?? []).map((file) => ({
          file,
          path: toSlashes(file.path),
          purpose: scene.purposeAbove(toSlashes(file.path)),
        }))
      : [];
    const configMaps = new Map([...above, ...manifests].flatMap(({ path, file }) => [...configMapsOf(path, file.text)]));
    const containersOf = ({ file, path, purpose }: (typeof manifests)[number]) =>
      parseManifests(path, file.text, configMaps).map((container) => ({ ...container, file, purpose }));
    this.#containers = manifests.flatMap(containersOf);
    this.#containersAbove = above.flatMap(containersOf);
  }

  run(): void {
    for (const service of this.#services) if (service.file) this.#checkService(service, service.file);
    for (const container of this.#containers) this.#checkContainer(container);
    for (const { file, path, purpose } of this.#scene.filesOf('dockerfile')) {
      if (purpose === 'development') continue;
      const build = this.#build(path);
      if (build) for (const index of this.#stagesToCheck(build, path)) this.#checkStage(file, build, index, purpose);
    }
  }

  *#ownServices(): Generator<Service> {
    const read = (path: string) => this.#scene.files.readText(path);
    for (const { file, path, purpose } of this.#scene.filesOf('compose')) {
      const services = parseCompose(path, file.text, read);
      // `docker compose -f docker-compose.yml -f docker-compose.prod.yml up`
      const base = purpose === 'production' ? this.#baseCompose(path) : [];
      for (const service of services) {
        const under = base.find((other) => other.name === service.name);
        yield { ...(under ? overlay(under, service) : service), file, purpose };
      }
    }
  }

  #baseCompose(path: string): ComposeService[] {
    for (const name of COMPOSE_NAMES.slice(0, 4)) {
      const base = join(dirname(path), name);
      const text = base === path ? undefined : this.#scene.files.readText(base);
      if (text !== undefined) return parseCompose(base, text, (other) => this.#scene.files.readText(other));
    }
    return [];
  }

  *#servicesAbove(): Generator<Service> {
    let folder = this.#scene.files.root;
    for (let i = 0; i < FOLDERS_ABOVE; i++) {
      const up = dirname(folder);
      if (up === folder) return;
      folder = up;
      for (const name of COMPOSE_NAMES) {
        const path = join(folder, name);
        const text = this.#scene.files.readText(path);
        if (text === undefined) continue;
        for (const service of parseCompose(path, text, (other) => this.#scene.files.readText(other)))
          yield { ...service, file: undefined, purpose: purposeOf(name) };
      }
    }
  }

  #build(path: string): DockerBuild | undefined {
    if (!this.#builds.has(path)) {
      const text = this.#scene.files.readText(path);
      this.#builds.set(path, text === undefined ? undefined : parseDockerfile(path, text));
    }
    return this.#builds.get(path);
  }

  /** The last stage. If that one is for development, those that say they are not. Stages that a service uses count, too. */
  #stagesToCheck(build: DockerBuild, path: string): number[] {
    const last = build.stages.length - 1;
    const isForDevelopment = (stage: Stage | undefined): boolean => purposeOf(stage?.name ?? '') === 'development';
    const wanted = new Set<number>();
    if (!isForDevelopment(build.stages[last])) wanted.add(last);
    else
      build.stages.forEach((stage, i) => {
        if (/^(?:prod|production|release|runner|runtime|final|app|server)$/.test(stage.name ?? '')) wanted.add(i);
      });
    for (const service of this.#services) {
      const target = service.build?.dockerfile === path ? service.build.target : undefined;
      const index = build.stages.findIndex((stage) => stage.name === target?.toLowerCase());
      if (target !== undefined && index >= 0 && !isForDevelopment(build.stages[index]) && !this.#isForDevelopment(service))
        wanted.add(index);
    }
    return [...wanted].sort((a, b) => a - b);
  }

  #isForDevelopment(service: Service): boolean {
    return service.purpose === 'development' || service.isDevelopment;
  }

  #checkStage(file: DeploymentFile, build: DockerBuild, index: number, purpose: 'development' | 'production' | undefined): void {
    const scene = this.#scene;
    const stage = build.stages[index];
    const uses = this.#usesOf(build.path, stage, index === build.stages.length - 1);
    const contexts = [
      ...new Set([
        ...uses.flatMap((service) => (service.build ? [service.build.context] : [])),
        ...likelyContexts(dirname(build.path), scene.files.root),
      ]),
    ];
    const image = imageOf(build, index, new Map());
    const outcome = runImage(image, build.text, image.env, contexts, NO_OVERRIDE, scene.files);
    scene.ecosystems.push(...outcome.ecosystems);
    const judged = scene.judge.findServer(
      outcome.starts,
      purpose ?? (purposeOf(stage?.name ?? '') === 'production' ? 'production' : undefined),
    );
    if (!judged) {
      if (image.env.kind === 'value' || image.env.kind === 'unknown' || outcome.isHidden) scene.isDecidedElsewhere = true;
      return;
    }
    if (judged.manifest) scene.deployed.add(judged.manifest.folder);
    const place = image.command ?? image.entrypoint;
    if (!stage || !place) return;
    if (judged.verdict.kind === 'missing') {
      const isSetElsewhere =
        uses.some((service) => service.env && service.env.kind !== 'unset' && service.env.kind !== 'host') ||
        this.#isSetByManifest(build.path);
      if (isSetElsewhere || this.#reportedInCompose.has(build.path) || scene.isSetOutside()) return;
    }
    const runs: Via[] = uses.flatMap((service) =>
      service.file && !service.env
        ? [{ path: service.path, span: service.nameSpan, message: 'this service runs the image and does not set NODE_ENV either' }]
        : [],
    );
    const note = image.argOnly
      ? '; its ARG does not exist when the container runs'
      : image.runOnly
        ? '; a value set in a RUN step does not exist when the container runs'
        : '';
    scene.reporter.report({
      file,
      at: place.span,
      subject: 'This image',
      judged,
      note,
      remedy: 'Set it with `ENV NODE_ENV=production` after the steps that need devDependencies.',
      fixes: image.argOnly
        ? suggestion('Pass the ARG to the container with ENV', keepArg(build, image))
        : suggestion('Add `ENV NODE_ENV=production`', addToDockerfile(build, stage)),
      corrections: image.env.kind === 'value' ? setAfterBuild(build, stage, image.env.place) : undefined,
      related: [
        ...(image.argOnly
          ? [{ ...image.argOnly, message: 'an ARG exists only while the image is built' }]
          : image.runOnly
            ? [{ ...image.runOnly, message: 'set only for this step' }]
            : []),
        ...startScriptPlaces(scene, judged),
        ...runs,
      ],
    });
  }

  #isOnlyDockerfile(path: string): boolean {
    const files = [...this.#scene.filesOf('dockerfile')].filter(({ purpose }) => purpose !== 'development');
    return files.length === 1 && files[0]?.path === path;
  }

  /** Production services that run a stage of a Dockerfile. */
  #usesOf(path: string, stage: Stage | undefined, isLast: boolean): Service[] {
    return this.#services.filter((service) => {
      if (this.#isForDevelopment(service)) return false;
      // A published image of the only Dockerfile: only a Node program gets NODE_ENV.
      if (!service.build && service.image !== undefined && service.env?.kind === 'value') return isLast && this.#isOnlyDockerfile(path);
      if (service.build?.dockerfile !== path) return false;
      return service.build.target === undefined ? isLast : service.build.target.toLowerCase() === stage?.name;
    });
  }

  #checkService(service: Service, file: DeploymentFile): void {
    const scene = this.#scene;
    if (this.#isForDevelopment(service)) return;
    const built = this.#builtFor(service);
    const image = built?.image ?? (service.image !== undefined && !service.build ? baseImage(service.path, service.image) : undefined);
    if (!image) return this.#checkValueAlone(service, file);
    const override: Override = { entrypoint: service.entrypoint, command: service.command };
    const outcome = this.#run(image, built, service.env ?? image.env, override, dirname(service.path));
    scene.ecosystems.push(...outcome.ecosystems);
    const judged = scene.judge.findServer(outcome.starts, service.purpose);
    if (!judged) return this.#checkValueAlone(service, file);
    const { verdict } = judged;
    if (verdict.kind === 'fine' || verdict.kind === 'quiet' || (!judged.start.isDevelopment && !service.mountsSources))
      if (judged.manifest) scene.deployed.add(judged.manifest.folder);
    const at = service.commandSpan ?? service.nameSpan;
    const subject = `The service \`${service.name}\``;
    const common = {
      file,
      at,
      subject,
      judged,
      remedy: "Set NODE_ENV: production in the service's environment.",
      related: startScriptPlaces(scene, judged),
    };
    if (verdict.kind === 'host') {
      if (image.env.kind !== 'unset' || service.mountsSources || this.#isSetByProductionFile(service)) return;
      if (built) this.#reportedInCompose.add(built.build.path);
      scene.reporter.report({ ...common, fixes: [] });
    } else if (verdict.kind === 'misspelt' || verdict.kind === 'development') {
      // A value in the Dockerfile is reported there.
      if (service.env?.kind === 'value' || service.command || service.entrypoint) {
        const stage = built?.build.stages[built.stageIndex];
        const place = service.env === undefined && image.env.kind === 'value' ? image.env.place : undefined;
        const corrections = built && stage ? setAfterBuild(built.build, stage, place) : undefined;
        scene.reporter.report({ ...common, fixes: [], corrections });
      }
    } else if (verdict.kind === 'missing') {
      if (service.mountsSources || this.#isSetByProductionFile(service) || scene.isSetOutside()) return;
      if (built && this.#isMissingInImage(built)) return;
      scene.reporter.report({ ...common, fixes: suggestion("Add NODE_ENV to the service's environment", service.addition) });
    }
  }

  /** A wrong value also counts if the image cannot be read, as long as the project itself is a server that uses it. */
  #checkValueAlone(service: Service | (Container & { purpose: 'development' | 'production' | undefined }), file: DeploymentFile): void {
    const { env } = service;
    const main = env?.kind === 'value' ? findMainServer(this.#scene) : undefined;
    if (!main || env?.kind !== 'value') return;
    const judged = this.#scene.judge.findServer([{ ...main.start, isDevelopment: false }], service.purpose, env);
    this.#scene.isDecidedElsewhere = true;
    if (judged?.verdict.kind !== 'misspelt' && judged?.verdict.kind !== 'development') return;
    this.#scene.reporter.report({
      file,
      at: 'nameSpan' in service ? service.nameSpan : service.span,
      subject: `\`${service.name}\``,
      program: 'an image of the project',
      judged,
      remedy: '',
      fixes: [],
    });
  }

  #isSetByProductionFile(service: Service): boolean {
    return (
      service.purpose !== 'production' &&
      this.#services.some(
        (other) =>
          other.purpose === 'production' &&
          other.name === service.name &&
          dirname(other.path) === dirname(service.path) &&
          other.env !== undefined &&
          other.env !== service.env,
      )
    );
  }

  /** Whether the start in the Dockerfile lacks the variable. It is reported there, or in the project that it belongs to. */
  #isMissingInImage(built: Built): boolean {
    const outcome = runImage(built.image, built.build.text, built.image.env, built.contexts, NO_OVERRIDE, this.#scene.files);
    return this.#scene.judge.findServer(outcome.starts, undefined)?.verdict.kind === 'missing';
  }

  #run(image: Image, built: Built | undefined, env: EnvState, override: Override, folder: string): Outcome {
    const contexts = built?.contexts ?? likelyContexts(folder, this.#scene.files.root);
    // With a plain `node` image, a command runs in the folder of `working_dir` or of a mount. The project's own folder is the guess.
    return runImage(image, built?.build.text ?? '', env, contexts, override, this.#scene.files);
  }

  #builtFor(service: ComposeService): Built | undefined {
    const source = service.build
      ? service
      : this.#services.find(
          (other) => other.build && other.image !== undefined && other.image === service.image && other.path === service.path,
        );
    if (!source?.build) return undefined;
    const build = this.#build(source.build.dockerfile);
    if (!build) return undefined;
    const { target, args, context } = source.build;
    const named = target === undefined ? -1 : build.stages.findIndex((stage) => stage.name === target.toLowerCase());
    const stageIndex = named >= 0 ? named : build.stages.length - 1;
    return {
      build,
      stageIndex,
      image: imageOf(build, stageIndex, args),
      contexts: [...new Set([context, ...likelyContexts(dirname(build.path), this.#scene.files.root)])],
    };
  }

  #isSetByManifest(dockerfile: string): boolean {
    const setsVariable = ({ env, purpose }: ManifestContainer): boolean => env !== undefined && purpose !== 'development';
    return (
      this.#containers.some((container) => setsVariable(container) && this.#isContainerOf(container, dockerfile)) ||
      this.#containersAbove.some((container) => setsVariable(container) && this.#isNamedLike(container, dockerfile))
    );
  }

  /**
   * Whether a container of a surrounding manifest has the name of the Dockerfile's folder, as its image, its chart or its own name: `api`
   * for `shop-api`.
   */
  #isNamedLike(container: ManifestContainer, dockerfile: string): boolean {
    const folder = basename(dirname(dockerfile));
    const image = basename(withoutTag(container.image ?? ''));
    return [image, container.chart, container.name].some(
      (name) => name !== undefined && name !== '' && (name === folder || folder.endsWith(`-${name}`) || name.endsWith(`-${folder}`)),
    );
  }

  #checkContainer(container: ManifestContainer): void {
    const scene = this.#scene;
    // What Helm makes of a template also depends on other files.
    if (container.chart !== undefined) return;
    if (container.purpose === 'development' || purposeOf(container.name) === 'development') return;
    const dockerfiles = [...scene.filesOf('dockerfile')].filter(
      ({ path, purpose }) => purpose !== 'development' && this.#isContainerOf(container, path),
    );
    const build = dockerfiles[0] && this.#build(dockerfiles[0].path);
    const built: Built | undefined = build && {
      build,
      stageIndex: build.stages.length - 1,
      image: imageOf(build, build.stages.length - 1, new Map()),
      contexts: likelyContexts(dirname(build.path), scene.files.root),
    };
    const image = built?.image ?? (container.image === undefined ? undefined : baseImage(container.path, container.image));
    if (!image) return;
    const override: Override = container.command
      ? { entrypoint: container.command, command: container.args }
      : { entrypoint: undefined, command: container.args };
    const outcome = this.#run(image, built, container.env ?? image.env, override, scene.files.root);
    const judged = scene.judge.findServer(outcome.starts, container.purpose);
    if (!judged) return this.#checkValueAlone(container, container.file);
    if (judged.manifest) scene.deployed.add(judged.manifest.folder);
    if (judged.verdict.kind === 'missing' && ((built && this.#isMissingInImage(built)) || scene.isSetOutside())) return;
    if ((judged.verdict.kind === 'misspelt' || judged.verdict.kind === 'development') && !container.env) return;
    scene.reporter.report({
      file: container.file,
      at: container.commandSpan ?? container.span,
      subject: `The container \`${container.name}\``,
      judged,
      remedy: "Add NODE_ENV with the value `production` to the container's env.",
      fixes: suggestion("Add NODE_ENV to the container's env", container.addition),
      related: startScriptPlaces(scene, judged),
    });
  }

  /** Whether a container runs the image of a Dockerfile: by the name of the image, or because there is only one Dockerfile. */
  #isContainerOf(container: Container, dockerfile: string): boolean {
    const files = [...this.#scene.filesOf('dockerfile')].filter(({ purpose }) => purpose !== 'development');
    const image = basename(withoutTag(container.image ?? ''));
    if (
      /^(?:mongo|postgres|mysql|mariadb|redis|nginx|rabbitmq|memcached|elasticsearch|kafka|zookeeper|busybox|traefik|haproxy|envoy|minio|influxdb|prometheus|grafana)/.test(
        image,
      )
    )
      return false;
    const folder = basename(dirname(dockerfile));
    return files.length === 1
      ? files[0]?.path === dockerfile
      : image !== '' &&
          (image === folder ||
            folder.endsWith(`-${image}`) ||
            image.endsWith(`-${folder}`) ||
            basename(dockerfile).toLowerCase().includes(image));
  }
}
