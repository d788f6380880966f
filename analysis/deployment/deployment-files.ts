// Which files say how a program is started, by path alone. The host walks the disk, and the rules check the contents.
import type { DeploymentKind } from '../../protocol/project.ts';

/** Extensions of templates, documentation and editor copies: `Dockerfile.hbs` is not a Dockerfile. */
const NOT_THE_FILE_ITSELF =
  /\.(?:[cm]?[jt]sx?|json|ya?ml|toml|md|markdown|txt|html?|hbs|handlebars|mustache|ejs|j2|jinja2?|erb|tpl|tmpl|template|dockerignore|bak|orig|swp|rej|sh|py|rb|go|patch|diff)$|~$/;

const DOCKERFILE = /^(?:dockerfile|containerfile)(?:[._-].+)?$|^.+[._-](?:dockerfile|containerfile)$/;
const COMPOSE =
  /^(?:docker-|podman-)?compose(?:[._-].+)?\.ya?ml$|^.+[._-](?:docker-)?compose\.ya?ml$|^docker-(?:stack|swarm)(?:[._-].+)?\.ya?ml$/;
// PM2 reads `*.config.js`, `.json` and `.yml` files of any name. These names are documented and in use.
const PM2 =
  /^(?:ecosystem|pm2|processes|process)(?:[._-].+)?\.(?:json5?|ya?ml)$|^(?:ecosystem|pm2)(?:[._-].+)?\.config\.[cm]?[jt]s$|^ecosystem(?:\.[^.]+)?\.[cm]?[jt]s$|^.+\.(?:ecosystem|pm2)(?:\.config)?\.(?:json5?|ya?ml|[cm]?[jt]s)$/;
const PROCFILE = /^procfile(?:[._-].+)?$/;
const SYSTEMD = /\.service$/;
const SYSTEMD_DROP_IN = /\.service\.d\/[^/]+\.conf$/;
/** Files of supervisord, by path, with forward slashes and in lower case. */
export const SUPERVISOR = /(?:^|\/)supervisord?(?:[._-][^/]+)?\.(?:conf|ini)$|(?:^|\/)supervisord?(?:\.d|\/conf\.d)?\/[^/]+\.(?:conf|ini)$/;
const ENV = /^\.env(?:[._-].+)?$|^(?:[^.].*)?\.env$/;
const YAML = /\.ya?ml$/;
const KUBERNETES_NAME =
  /(?:^|[._-])(?:deployments?|stateful-?sets?|daemon-?sets?|replica-?sets?|cron-?jobs?|pods?|k8s|kubernetes|kube|workloads?|manifests?)\.ya?ml$|^(?:deployments?|k8s|kubernetes|kube)[._-].+\.ya?ml$/;
const KUBERNETES_FOLDER = /(?:^|\/)\.?(?:k8s|kubernetes|kube|kustomize|manifests?|deploy|deploys|deployments?|helm|charts?)\//;
/** Pipelines are in folders of such names too, but they start no server. */
const PIPELINE_FOLDER = /(?:^|\/)\.(?:github|gitlab|circleci|azure|azure-pipelines|buildkite|tekton)\//;

/**
 * The kind of a file by its path; undefined if it does not say how a program is started. `path` may be absolute or relative, with either
 * slash. A YAML file of kind `kubernetes` may contain something else, because only its name is known. The rules check that.
 */
export function deploymentKindOf(path: string): DeploymentKind | undefined {
  const normal = path.replaceAll('\\', '/');
  const name = normal.slice(normal.lastIndexOf('/') + 1);
  const lower = name.toLowerCase();
  if (name === 'package.json') return 'package-json';
  if (ENV.test(lower) && !/\.(?:[cm]?[jt]s|d\.ts)$/.test(lower)) return 'env';
  if (PM2.test(lower) && !lower.endsWith('.d.ts')) return 'pm2';
  if (COMPOSE.test(lower)) return 'compose';
  // supervisord's files are read with the units: settings by section, for the processes of a machine or a container.
  if (SYSTEMD.test(lower) || SYSTEMD_DROP_IN.test(normal.toLowerCase()) || SUPERVISOR.test(normal.toLowerCase())) return 'systemd';
  if (PROCFILE.test(lower) && !NOT_THE_FILE_ITSELF.test(lower)) return 'procfile';
  if (DOCKERFILE.test(lower) && !NOT_THE_FILE_ITSELF.test(lower)) return 'dockerfile';
  if (YAML.test(lower) && !PIPELINE_FOLDER.test(normal) && (KUBERNETES_NAME.test(lower) || KUBERNETES_FOLDER.test(normal.toLowerCase())))
    return 'kubernetes';
  return undefined;
}
