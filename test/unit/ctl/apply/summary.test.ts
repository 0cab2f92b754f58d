import { expect } from 'chai';
import { createSummary } from '../../../../src/ctl/apply/summary.ts';
import type { Change } from '../../../../src/ctl/changes/reporter.ts';
import type { DryRun } from '../../../../src/ctl/options/shared.ts';

interface Case {
  readonly title: string;
  readonly operations: readonly string[];
  readonly failures?: number;
  readonly isHuman?: boolean;
  readonly isTerminal?: boolean;
  readonly dryRun?: DryRun;
  readonly line: string;
}

const cases: readonly Case[] = [
  {
    title: 'counts by operation, in the order in which these came',
    operations: ['created', 'unchanged', 'configured', 'unchanged', 'created', 'unchanged'],
    line: '2 created, 3 unchanged, 1 configured\n',
  },
  { title: 'tells of failures last', operations: ['created'], failures: 2, line: '1 created, 2 failed\n' },
  { title: 'says nothing of a single object', operations: ['created'], line: '' },
  { title: 'says nothing of a single failure', operations: [], failures: 1, line: '' },
  {
    title: 'says that nothing has happened',
    operations: ['created', 'created'],
    dryRun: 'server',
    line: '2 created (server dry run)\n',
  },
  { title: 'says nothing in a pipe', operations: ['created', 'created'], isTerminal: false, line: '' },
  { title: 'adds nothing to objects', operations: ['created', 'created'], isHuman: false, line: '' },
];

describe('createSummary', () => {
  for (const { title, operations, failures = 0, line, ...setting } of cases) {
    it(title, () => {
      const { isHuman = true, isTerminal = true, dryRun = 'none' } = setting;
      const written: string[] = [];
      const reported: string[] = [];
      const stdout = { isTerminal, write: (text: string) => void written.push(text) };
      const report = ({ operation }: Change): void => void reported.push(operation);
      const summary = createSummary({ stdout }, { report, isHuman, dryRun });
      const resource = {
        ...{ group: '', version: 'v1', name: 'configmaps', singularName: '', kind: 'ConfigMap' },
        ...{ isNamespaced: true, verbs: [], shortNames: [], categories: [], subresources: [] },
      };
      for (const operation of operations)
        summary.report({ resource, object: undefined, name: 'a', operation });
      summary.print(failures);
      expect(reported).to.deep.equal(operations);
      expect(written.join('')).to.equal(line);
    });
  }
});
