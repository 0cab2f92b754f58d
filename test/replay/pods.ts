import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentProcess } from './agent-process.ts';
import { playCase } from './play-case.ts';
import type { Recording } from './recording.ts';
import { type Case, type Rig, runLanes, shareCases } from './rig.ts';
import type { Subject } from './subject.ts';
import { apiSubject, fileSubject, ManifestUrl, urlSubject } from './subjects.ts';

const resolvConf = 'nameserver 192.0.2.53\nsearch example.test\noptions ndots:2\n';

/** Plays pods that come from files, URLs and API servers; `workRoot` is a folder whose mounts reach containers. */
export async function playPods(cases: readonly Case[], rig: Rig, workRoot: string): Promise<void> {
  const by = (...kinds: readonly Recording['deliver'][]): readonly Case[] =>
    cases.filter((one) => kinds.includes(recordingOf(one).deliver));
  const play = (one: Case, subject: Subject): Promise<void> => playOne(one, subject, rig, workRoot);
  await playFiles(by('file'), rig, play);
  for (const one of by('url')) await playUrl(one, rig, play);
  await playApi(by('api', 'mirror'), rig, play);
}

type Play = (one: Case, subject: Subject) => Promise<void>;

/** Cases of this kind are recordings of it. */
const recordingOf = (one: Case): Recording => one.recording as Recording;

async function playOne(one: Case, subject: Subject, rig: Rig, workRoot: string): Promise<void> {
  const { name, directory } = one;
  const workdir = join(workRoot, `${name}-${rig.round}`);
  await mkdir(workdir, { recursive: true });
  await rig.play(one, () =>
    playCase({ recording: { ...recordingOf(one), name }, subject, directory, workdir, places: {} }),
  );
}

async function playFiles(cases: readonly Case[], rig: Rig, play: Play): Promise<void> {
  if (cases.length === 0) return;
  const agent = await startAgent(rig, 'files', []);
  const subject = fileSubject(agent);
  try {
    await runLanes(
      shareCases(cases, rig.jobs, (one) => play(one, subject)),
      rig.jobs,
    );
  } finally {
    await rig.stopAgent(agent);
  }
}

async function playUrl(one: Case, rig: Rig, play: Play): Promise<void> {
  const url = new ManifestUrl();
  const agent = await startAgent(rig, one.name, [`--manifest-url=${await url.listen()}`]);
  try {
    await play(one, urlSubject(agent, url));
  } finally {
    await rig.stopAgent(agent);
    url.close();
  }
}

async function playApi(cases: readonly Case[], rig: Rig, play: Play): Promise<void> {
  if (cases.length === 0) return;
  const server = await rig.startServer('pods');
  const agent = await startAgent(rig, 'api-agent', [
    `--orchconfig=${server.configPath}`,
    '--event-qps=0',
    '--orch-api-qps=100',
    '--orch-api-burst=200',
    '--node-labels=disk=ssd,zone=z1',
  ]);
  const subjectOf = (one: Case): Subject => apiSubject(agent, server, recordingOf(one).deliver === 'mirror');
  try {
    await runLanes(
      shareCases(cases, rig.jobs, (one) => play(one, subjectOf(one))),
      rig.jobs,
    );
  } finally {
    await rig.stopAgent(agent);
    await server.stop();
  }
}

async function startAgent(rig: Rig, name: string, flags: readonly string[]): Promise<AgentProcess> {
  const folder = await rig.folder('agents', name);
  const resolvConfPath = join(folder, 'resolv.conf');
  await writeFile(resolvConfPath, resolvConf);
  const manifests = flags.some((flag) => flag.startsWith('--manifest-url'))
    ? []
    : [`--pod-manifest-path=${join(folder, 'manifests')}`];
  const agent = await rig.makeAgent(
    name,
    [
      '--file-check-frequency=1s',
      '--http-check-frequency=1s',
      '--sync-frequency=10s',
      '--cluster-dns=10.0.0.10',
      '--cluster-domain=cluster.local',
      `--resolv-conf=${resolvConfPath}`,
      ...manifests,
      ...flags,
    ],
    { folder },
  );
  await agent.start();
  return agent;
}
