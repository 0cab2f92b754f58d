/**
 * Measures what controllers and scheduler of the built server cost: a deployment of 1,000 pods on 100 hollow nodes, and the
 * same writes on a server that runs neither. `npm run bench:workloads`; options go after `--`:
 *
 * `--large` 5,000 pods on 500 nodes; `--quick` 10 pods on 5 nodes, only enough to see that everything works; `-o json` figures
 * for programs; `--profile FOLDER` CPU profiles of the main threads of both servers, which slow them.
 */
import { mkdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { measureWorkloads, type WorkloadSize } from './measure.ts';
import { renderWorkloads } from './report.ts';

// Until a server has given back what the burst of work took, its collection of garbage counts as work, not as rest.
const usual: WorkloadSize = { nodes: 100, pods: 1000, settleMs: 30_000, idleMs: 20_000 };
const large: WorkloadSize = { ...usual, nodes: 500, pods: 5000 };
const quick: WorkloadSize = { nodes: 5, pods: 10, settleMs: 0, idleMs: 500 };

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    large: { type: 'boolean' },
    output: { type: 'string', short: 'o' },
    profile: { type: 'string' },
  },
});
const { profile } = values;
if (profile !== undefined) await mkdir(profile, { recursive: true });
const size = values.quick === true ? quick : values.large === true ? large : usual;
const figures = await measureWorkloads({ ...size, profile });
process.stdout.write(
  values.output === 'json' ? `${JSON.stringify(figures, undefined, 2)}\n` : renderWorkloads(figures),
);
