import type { ImageTerms, Mount } from './choose-image.ts';
import { findImages, placeOfFile } from './place-images.ts';
import { quoteForShell } from './quote-for-shell.ts';

/** How a container is put into the system around it. */
export interface ContainerPlace {
  /** Whether the command reaches the network of the system, or none at all. */
  readonly network: boolean;
  /** True if the processes stay in the control group of their caller, which limits them. */
  readonly keepsGroup?: boolean | undefined;
  /** True if whoever ends the job asks each of its processes, and not only the program around them. */
  readonly asksEach?: boolean | undefined;
}

/**
 * Writes the text of a shell that runs a command in an image: `sh -c TEXT sh COMMAND NAME...` in the
 * working directory of the job, where each NAME is a variable that the command finds too. A folder
 * `tmp` beside the working directory is for what is temporary. The shell becomes the program that runs images.
 */
export function writeImageRun(terms: ImageTerms, place: ContainerPlace): string {
  const words = terms.runtime === 'apptainer' ? byApptainer(terms, place) : byEngine(terms, place);
  return [findImages(terms), begin, passVariables[terms.runtime], `exec ${words.join(' ')}\n`].join(
    '',
  );
}

/** Finds the name of the container, which is the same for every text of the job. */
const nameContainer = `directory=\${PWD%/*}
container=slipway-$(printf %s "\${directory##*/}" | tr -c A-Za-z0-9_.- -)
`;

/** Keeps names of variables only. A line of a value that looks like one stands for nothing. */
const begin = `${nameContainer}scratch=$directory/tmp
mkdir -p -- "$scratch/home"
command=$1
shift
passed='SLIPWAY|SLURM|OMP|CUDA|NVIDIA|ROCR|HIP'
names="$* $(env | grep -oE "^($passed)_[A-Za-z0-9_]+=" | tr -d =)"
set --
`;

const passed = (step: string) => `for name in $names; do
  case $name in [0-9]* | *[!A-Za-z0-9_]*) ;; *) ${step} ;; esac
done
`;

const byName = passed('set -- "$@" --env "$name"');

/**
 * Hands on the limits of the caller, which podman would raise as far as it may. Without root it can do
 * so by itself, and with root it cannot.
 */
const keepLimits = `limit_of() {
  sed -n "s/^Max $1  *\\([a-z0-9]*\\)  *\\([a-z0-9]*\\).*/\\1:\\2/p" /proc/self/limits | sed 's/unlimited/-1/g'
}
if [ "$(id -u)" = 0 ]; then
  set -- "$@" --ulimit "nofile=$(limit_of 'open files')" --ulimit "nproc=$(limit_of processes)"
else
  set -- "$@" --ulimit=host --userns=keep-id
fi
`;

/** A folder that is itself below /tmp is not shown in another /tmp. */
const unlessBelow = (step: string) => `case $PWD in /tmp/*) ;; *) ${step} ;; esac\n`;
const showTemporary = unlessBelow('set -- "$@" --mount "type=bind,source=$scratch,target=/tmp"');
const bindTemporary = unlessBelow('set -- --bind "$scratch:/tmp"');

const passVariables = {
  apptainer: `${passed('eval "export APPTAINERENV_$name=\\"\\$$name\\""')}export APPTAINERENV_TMPDIR="$scratch"\n${bindTemporary}`,
  podman: `${byName}${keepLimits}${showTemporary}`,
  docker: `${byName}set -- "$@" --user "$(id -u):$(id -g)"\n${showTemporary}`,
};

/**
 * Runs the command below the first process of the container, to which a request to end is nothing
 * unless it listens. It hands the request on to the others, and waits for the command. The blank keeps
 * a command from being taken for an option.
 */
function enter({ asksEach = false }: ContainerPlace): string {
  const entry = `shell=sh
if command -v bash >/dev/null 2>&1; then shell=bash; fi
"$shell" -c " $1" &
child=$!
${asksEach ? '' : `trap 'trap "" TERM; kill -TERM 0' TERM\n`}while :; do
  wait "$child"
  code=$?
  kill -0 "$child" 2>/dev/null || exit "$code"
done`;
  return `-c ${quoteForShell(entry)} sh "$command"`;
}

/** Podman and docker, whose options are mostly the same. */
function byEngine({ runtime, image, gpus, mounts }: ImageTerms, place: ContainerPlace): string[] {
  const { network, keepsGroup = false } = place;
  const isPodman = runtime === 'podman';
  const mount = (source: string, target: string, isWritable = true) =>
    `--mount "type=bind,source=${source},target=${target}${isWritable ? '' : ',readonly'}"`;
  return [
    ...(isPodman ? ['podman', '--cgroup-manager=cgroupfs'] : ['docker']),
    ...['run', '--rm', '--pull=never', '--name "$container"', '--log-driver=none'],
    ...['--cap-drop=all', '--security-opt=no-new-privileges', '--security-opt=label=disable'],
    `--network=${network ? 'host' : 'none'}`,
    ...(isPodman && keepsGroup ? ['--cgroups=disabled'] : []),
    ...(gpus ? [isPodman ? '--device=nvidia.com/gpu=all' : '--gpus=all'] : []),
    ...['"$@"', '--env "HOME=$scratch/home"', '--env "TMPDIR=$scratch"'],
    ...[mount('$PWD', '$PWD'), mount('$scratch', '$scratch')],
    ...mounts.map(({ path, writable = false }) => mount(path, path, writable)),
    ...['--workdir "$PWD"', '--entrypoint=/bin/sh', quoteForShell(image), enter(place)],
  ];
}

function byApptainer(terms: ImageTerms, place: ContainerPlace): string[] {
  const { gpus, mounts } = terms;
  const bind = ({ path, writable = false }: Mount) =>
    `--bind ${quoteForShell(`${path}:${path}${writable ? '' : ':ro'}`)}`;
  return [
    ...['apptainer', 'exec', '--containall', '--cleanenv', '"$@"'],
    ...(place.network ? [] : ['--net', '--network=none']),
    ...(gpus ? ['--nv'] : []),
    ...['--home "$scratch/home"', '--bind "$PWD"', '--bind "$scratch"'],
    ...mounts.map(bind),
    ...['--pwd "$PWD"', placeOfFile(terms), '/bin/sh', enter(place)],
  ];
}

/** Writes the text of a shell that ends the container of a job, if it outlived the program that ran it. */
export function writeImageRemoval(terms: ImageTerms): string {
  const removal = {
    apptainer: ':',
    podman: 'podman --cgroup-manager=cgroupfs rm --force --ignore --time=0 "$container"',
    docker: 'docker rm --force "$container"',
  };
  return `${findImages(terms)}${nameContainer}${removal[terms.runtime]} >/dev/null 2>&1\n`;
}
