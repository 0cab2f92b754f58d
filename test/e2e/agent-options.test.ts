import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { after, before, describe, it } from 'mocha';
import { fetchInsecurely } from '../replay/fetch-insecurely.ts';
import { AgentProgram } from '../support/agent-program.ts';
import { configzDifference } from '../support/configz-difference.ts';
import { type Containerd, startContainerd } from '../support/containerd.ts';
import { requireContainerd } from '../support/require-containerd.ts';
import recorded from '../unit/nodeagent/options/recorded-cases.json' with { type: 'json' };

/** A recorded start of the reference agent that succeeded, and what it changed in `/configz`. */
interface RecordedStart {
  readonly name: string;
  readonly flags: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly effective: Readonly<Record<string, unknown>>;
}

/** How many starts judge options; each judges as many cases as do not touch one another, so that the first judge most. */
const starts = Number(process.env.ORCH_TEST_OPTION_STARTS ?? 3);
/**
 * Cases that this start cannot have: they say where the program is asked, or where its manifests are, or what they name
 * depends on other options of the same start.
 */
const unfit =
  /^(?:healthz-port|port|node-status-update-frequency|qos-reserved|cpu-manager-reconcile|reserved-cpus|feature-gates-AllBeta-false)/;

const namesOf = ({ flags, files = {}, effective }: RecordedStart): readonly string[] => [
  ...flags
    .filter((flag) => flag.startsWith('--'))
    .map((flag) => flag.replace(/=.*/, '').replaceAll('_', '-')),
  ...Object.keys(files),
  ...Object.keys(effective),
];

/** Cases in groups of which no two name an option, a file or a value in common. */
function groupsOf(cases: readonly RecordedStart[]): readonly (readonly RecordedStart[])[] {
  const groups: { readonly names: Set<string>; readonly cases: RecordedStart[] }[] = [];
  for (const each of cases) {
    const names = namesOf(each);
    const known = groups.find((group) => names.every((name) => !group.names.has(name)));
    const group = known ?? { names: new Set(), cases: [] };
    if (known === undefined) groups.push(group);
    for (const name of names) group.names.add(name);
    group.cases.push(each);
  }
  return groups.map((group) => group.cases);
}

describe('the options of the built nodeagent, as /configz shows them', () => {
  requireContainerd();
  const fit = recorded.flatMap((each) =>
    each.outcome === 'runs' &&
    each.effective !== undefined &&
    !('staticPodPath' in each.effective) &&
    !('workingDirectory' in each) &&
    !unfit.test(each.name)
      ? [{ ...each, effective: each.effective } as unknown as RecordedStart] // The unit test of options reads the same file.
      : [],
  );
  let containerd: Containerd;
  let base: object;
  const configzWith = async (flags: readonly string[], folder: string): Promise<object> => {
    await using agent = new AgentProgram({ containerd, folder, flags });
    await agent.start();
    const { text } = await fetchInsecurely(`https://127.0.0.1:${agent.securePort}/configz`);
    // What the program answers; places and ports are this start's own.
    const { nodeagentconfig } = JSON.parse(text.replaceAll(folder, '{tmp}')) as { nodeagentconfig: object };
    await agent.stop();
    return { ...nodeagentconfig, port: 0, readOnlyPort: 0, healthzPort: 0 };
  };

  before(async function () {
    this.timeout(60_000);
    containerd = await startContainerd();
    const folder = join(containerd.folder, 'base');
    await mkdir(folder);
    base = await configzWith([], folder);
  });
  after(async function () {
    this.timeout(60_000);
    await containerd?.[Symbol.asyncDispose]();
  });

  for (const [index, cases] of groupsOf(fit).slice(0, starts).entries()) {
    it(`have the recorded effect, ${cases.length} cases at once (${cases[0]?.name} and others)`, async () => {
      const folder = join(containerd.folder, `options${index}`);
      const inPlace = (text: string): string => text.replaceAll('{tmp}', folder);
      await mkdir(folder);
      for (const [name, text] of cases.flatMap(({ files = {} }) => Object.entries(files))) {
        await mkdir(dirname(join(folder, name)), { recursive: true });
        await writeFile(join(folder, name), inPlace(text));
      }
      const now = await configzWith(
        cases.flatMap(({ flags }) => flags.map(inPlace)),
        folder,
      );
      const expected = Object.assign({}, ...cases.map(({ effective }) => effective));
      expect(configzDifference(base, now)).to.deep.equal(expected);
    });
  }
});
