import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { applyJsonPatch, PatchError, parseJsonPatch } from '../../../src/machinery/patch/index.ts';
import deviations from './deviations.json' with { type: 'json' };
import disabled from './disabled.json' with { type: 'json' };
import ownCases from './more-cases.json' with { type: 'json' };

/** A record of the public suite: a patch succeeds, with the expected document if one is given, or fails. */
interface PatchCase {
  readonly comment?: string;
  readonly doc: unknown;
  readonly patch?: unknown;
  readonly expected?: unknown;
  readonly error?: string;
  readonly disabled?: boolean;
}

/** What a patch comes to: a document, or the code of a failure. */
type Outcome = { readonly document: unknown } | { readonly failure: string };

const suite: readonly PatchCase[] = ['spec_tests.json', 'tests.json'].flatMap(
  // The suite's own format, as its readme describes it.
  (file) => readJson(new URL(import.meta.resolve(`json-patch-test-suite/${file}`))) as PatchCase[],
);
const cases: readonly PatchCase[] = [...suite, ...(ownCases as readonly PatchCase[])];
const enabled = cases.filter((entry) => !entry.disabled);
const differing = new Map(deviations.map((entry) => [entry.case, entry]));

function readJson(file: URL): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The comment names a case; where there is none, the expected error or the patch does. */
function titleOf({ comment, error, patch }: PatchCase): string {
  return comment ?? error ?? JSON.stringify(patch);
}

function outcomeOf({ doc, patch }: PatchCase): Outcome {
  const before = JSON.stringify(doc);
  try {
    return { document: applyJsonPatch(doc, parseJsonPatch(patch)) };
  } catch (error) {
    if (error instanceof PatchError) return { failure: error.code };
    throw error;
  } finally {
    expect(JSON.stringify(doc)).to.equal(before);
  }
}

/** What the RFC wants; patches whose result is not told must only succeed. */
function checkByRfc(entry: PatchCase): void {
  const outcome = outcomeOf(entry);
  if (entry.error !== undefined) expect(outcome).to.have.property('failure');
  else if (entry.expected === undefined) expect(outcome).to.have.property('document');
  else expect(outcome).to.deep.equal({ document: entry.expected });
}

describe('applyJsonPatch and the public JSON patch suite', () => {
  it('reads every record of the suite', () => {
    expect(suite).to.have.length(95);
    expect(suite.filter(({ patch }) => patch === undefined)).to.deep.equal([]);
  });

  it('knows each case that the suite itself has switched off', () => {
    const off = cases.filter((entry) => entry.disabled);
    expect(off.map(titleOf)).to.deep.equal(disabled.map((entry) => entry.case));
  });

  it('has a case for each deviation', () => {
    const titles = enabled.map(titleOf);
    for (const { case: title } of deviations) {
      expect(titles.filter((other) => other === title)).to.have.length(1);
    }
  });

  for (const entry of enabled) {
    const deviation = differing.get(titleOf(entry));
    if (deviation === undefined) it(titleOf(entry), () => checkByRfc(entry));
    else {
      it(`${titleOf(entry)}: differs. ${deviation.reason}`, () => {
        expect(outcomeOf(entry)).to.deep.equal(deviation.outcome);
        expect(() => checkByRfc(entry), 'no deviation any more').to.throw();
      });
    }
  }

  for (const { case: title, reason, outcome } of disabled) {
    it(`switched off: ${title}. ${reason}`, () => {
      const entry = cases.find((other) => titleOf(other) === title);
      expect(entry && outcomeOf(entry)).to.deep.equal(outcome);
    });
  }
});
