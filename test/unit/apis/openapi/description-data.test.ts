import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { schemaTypes } from '../../../../src/apis/openapi/type-source.ts';

const folder = join(import.meta.dirname, '../../../../src/apis/openapi/descriptions');

describe('files of descriptions', () => {
  const seen = new Map<string, string>();
  for (const file of readdirSync(folder)) {
    it(`${file} names types and fields that there are, each type in one file`, () => {
      const entries: Record<string, Record<string, string>> = JSON.parse(
        readFileSync(join(folder, file), 'utf8'),
      );
      for (const [type, sentences] of Object.entries(entries)) {
        expect(seen.get(type), type).to.equal(undefined);
        seen.set(type, file);
        if (type === '*') continue;
        const fields = schemaTypes[type]?.f?.map(({ n }) => n) ?? [];
        expect(schemaTypes, file).to.have.property(type);
        expect(fields, type).to.include.members(Object.keys(sentences).filter((name) => name !== ''));
      }
    });
  }
});
