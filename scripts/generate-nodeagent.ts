/**
 * Writes what is made from the table of the node agent's options: `src/nodeagent/options/agent-option-values.ts` and
 * `docs/nodeagent-options.md`. Run after changing the table: `node scripts/generate-nodeagent.ts`.
 */
import { writeFileSync } from 'node:fs';
import { renderAgentOptionTypes } from './agent-option-types.ts';
import { renderNodeAgentDocs } from './nodeagent-docs.ts';

writeFileSync(
  new URL('../src/nodeagent/options/agent-option-values.ts', import.meta.url),
  renderAgentOptionTypes(),
);
writeFileSync(new URL('../docs/nodeagent-options.md', import.meta.url), renderNodeAgentDocs());
