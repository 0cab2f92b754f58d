import { globSync } from 'node:fs';
import { expect } from 'chai';
import { copyOf } from '../../../src/machinery/schema/index.ts';
import { type Body, create, served, update, withChange } from './write-bench.ts';
import type { WriteCases } from './write-cases.ts';

const cases: WriteCases[] = [];
for (const file of globSync('test/unit/apis/**/*-writes.ts').sort()) {
  const loaded: Record<string, unknown> = await import(`../../../${file}`);
  // Such a file exports lists of cases and nothing else.
  for (const list of Object.values(loaded)) cases.push(...(list as WriteCases[]));
}

/** What is answered, as a body that a client may send. */
const answerTo = (body: Body): Body => served(create(body).object, body) as Body; // what is served is of the same kind

describe('an object of every kind', () => {
  for (const { body } of cases) {
    const what = `${body.apiVersion} ${body.kind} ${body.metadata.name}`;

    it(`is valid when it is read back: ${what}`, () => {
      expect(create(answerTo(body)).errors).to.deep.equal([]);
    });

    it(`gets nothing more by default when it is read back: ${what}`, () => {
      const { metadata: _first, status: _told, ...once } = answerTo(body);
      const { metadata: _second, status: _again, ...twice } = answerTo(answerTo(body));
      expect(twice).to.deep.equal(once);
    });

    it(`may stay as it is: ${what}`, () => {
      expect(update({ body: copyOf(body), change: {} }).errors).to.deep.equal([]);
    });
  }
});

/**
 * What release 1.20 says of new objects only: because an update restores the field, looks at nothing but what must stay, or
 * judges stored objects as they were judged before.
 */
const onlyInNew: Readonly<Record<string, RegExp>> = {
  CSIDriver: /^spec\./,
  CertificateSigningRequest: /^spec\./,
  CustomResourceDefinition: /^(?:status\.storedVersions|metadata\.name|spec\.names)/,
  PriorityClass: /^preemptionPolicy/,
  VolumeAttachment: /^spec\.(?:attacher|source\.persistentVolumeName): Invalid value/,
};

describe('what is wrong with an object of every kind', () => {
  for (const { body, refused = [] } of cases) {
    const what = `${body.apiVersion} ${body.kind} ${body.metadata.name}`;
    for (const [change] of refused) {
      // Metadata are checked by the registry when they change, and twice when they are new.
      if (Object.keys(change).some((pointer) => pointer.startsWith('/metadata'))) continue;
      const paths = (errors: readonly string[]): string[] => [
        ...new Set(errors.map((text) => text.split(': ')[0] ?? '')),
      ];

      it(`comes in the same order for a new and a changed one: ${what}: ${Object.keys(change).join()}`, () => {
        const found = paths(create(withChange(body, change)).errors);
        const asChange = paths(update({ body, change }).errors);
        const common = new Set(asChange.filter((path) => found.includes(path)));
        expect(asChange.filter((path) => common.has(path))).to.deep.equal(
          found.filter((path) => common.has(path)),
        );
      });

      it(`is all found in a changed one: ${what}: ${Object.keys(change).join()}`, () => {
        const asChange = new Set(update({ body, change }).errors);
        const onlyNew = onlyInNew[body.kind];
        const missed = create(withChange(body, change)).errors.filter(
          (text) => !asChange.has(text) && onlyNew?.test(text) !== true,
        );
        expect(missed).to.deep.equal([]);
      });
    }
  }
});
