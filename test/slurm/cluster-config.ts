export interface ClusterConfig {
  readonly directory: string;
  /** As the daemons see it; it must stand for 127.0.0.1. */
  readonly hostname: string;
  readonly controllerPort: number;
  /** Of each node, all of which are this machine. */
  readonly nodePorts: readonly number[];
  readonly partition: string;
  /** Whether users see their own jobs alone. */
  readonly hidesJobs?: boolean;
  /** Whether memory, GPUs and the limits of accounts and qualities of service count. */
  readonly enforces?: boolean;
  /** Whether the limits of accounts count, but not memory. */
  readonly limitsJobs?: boolean;
  /** Where slurmdbd listens, if there is one. */
  readonly accountingPort?: number | undefined;
}

function describeAccounting({ directory, accountingPort }: ClusterConfig): string {
  if (accountingPort === undefined) return 'AccountingStorageType=accounting_storage/none';
  return `AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort=${accountingPort}
AccountingStoragePass=${directory}/munge-run/munge.socket`;
}

function describeLimits({ enforces = false, limitsJobs = false }: ClusterConfig): string {
  if (limitsJobs) {
    return `SelectTypeParameters=CR_Core
TaskPlugin=task/none
AccountingStorageEnforce=associations,limits`;
  }
  if (!enforces) return 'SelectTypeParameters=CR_Core\nTaskPlugin=task/none';
  return `SelectTypeParameters=CR_Core_Memory
TaskPlugin=task/cgroup
AccountingStorageEnforce=associations,limits,qos
AccountingStorageTRES=gres/gpu
GresTypes=gpu`;
}

/** Its jobs take the place of others, which Slurm then starts again. */
export const urgentPartition = 'urgent';

/** Two GPUs that do not compute: Slurm only counts their files. */
export const gpuConfig = `NodeName=node1 Name=gpu Type=a100 File=/dev/null
NodeName=node1 Name=gpu Type=a100 File=/dev/zero
`;

/** The file that makes one machine a cluster, on loopback alone. */
export function writeClusterConfig(config: ClusterConfig): string {
  const { directory, hostname, controllerPort, partition, hidesJobs = false } = config;
  return `ClusterName=slipway
SlurmctldHost=${hostname}(127.0.0.1)
SlurmctldPort=${controllerPort}
# Without these the daemons listen on every address.
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmUser=slurm
AuthType=auth/munge
AuthInfo=socket=${directory}/munge-run/munge.socket
CredType=cred/munge
AuthAltTypes=auth/jwt
AuthAltParameters=jwt_key=${directory}/jwt.key
StateSaveLocation=${directory}/state
SlurmdSpoolDir=${directory}/spool/%n
SlurmctldPidFile=${directory}/log/slurmctld.pid
# MPI keeps files of a step there, and each node needs its own.
TmpFS=${directory}/tmp/%n
SlurmdPidFile=${directory}/log/slurmd-%n.pid
SlurmctldLogFile=${directory}/log/slurmctld.log
SlurmdLogFile=${directory}/log/slurmd-%n.log
ProctrackType=proctrack/linuxproc
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
${describeAccounting(config)}
SelectType=select/cons_tres
${describeLimits(config)}
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0,bf_interval=5
MpiDefault=none
MailProg=/bin/true
# Else a job that is too large is taken, and waits for ever.
EnforcePartLimits=ALL
ReturnToService=2
# A small machine may claim more CPUs than it has.
SlurmdParameters=config_overrides
MinJobAge=300
KillWait=2
${hidesJobs ? 'PrivateData=jobs' : ''}
${describeNodes(config)}
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PartitionName=${partition} Nodes=ALL Default=YES MaxTime=1-00:00:00 State=UP PriorityTier=1
PartitionName=${urgentPartition} Nodes=ALL MaxTime=1-00:00:00 State=UP PriorityTier=2
`;
}

function describeNodes({ hostname, nodePorts, enforces = false }: ClusterConfig): string {
  const gpus = enforces ? ' Gres=gpu:a100:2' : '';
  const place = `NodeHostname=${hostname} NodeAddr=127.0.0.1`;
  return nodePorts
    .map((port, at) => {
      return `NodeName=node${at + 1} ${place} Port=${port} CPUs=16 RealMemory=4000${gpus}`;
    })
    .join('\n');
}

/** slurmd loads a cgroup plugin even if nothing uses it, and only this one loads everywhere. */
export const cgroupConfig = `CgroupPlugin=cgroup/v1
ConstrainRAMSpace=yes
`;
