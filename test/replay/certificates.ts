import { startContainerd } from '../support/containerd.ts';
import type { CertificateCase } from './certificate-case.ts';
import { playBootstrap } from './certificates-bootstrap.ts';
import { playSelfSigned } from './certificates-self-signed.ts';
import { playServing } from './certificates-serving.ts';
import type { Case, Lane, Rig } from './rig.ts';

const plays: ReadonlyMap<string, (certificateCase: CertificateCase) => Promise<readonly string[]>> = new Map([
  ['bootstrap', playBootstrap],
  ['self-signed', playSelfSigned],
  ['serving', playServing],
]);

/** Recordings of certificates, one after another: their agents have no pods, so that one runtime does for all. */
export function certificateLanes(cases: readonly Case[], rig: Rig): readonly Lane[] {
  if (cases.length === 0) return [];
  return [
    async () => {
      await using containerd = await startContainerd();
      for (const one of cases) await rig.play(one, () => play({ one, rig, containerd }));
    },
  ];
}

async function play(certificateCase: CertificateCase): Promise<readonly string[]> {
  const { name = '' } = certificateCase.one.recording as { name?: string }; // some recordings have names
  const fileName = certificateCase.one.name.replace(/^certificates-/, '');
  const play = plays.get(name) ?? plays.get(fileName);
  if (play === undefined) {
    throw new Error(
      `recordings of certificates are ${[...plays.keys()].join(', ')}, not ${name || fileName}`,
    );
  }
  return play(certificateCase);
}
