import { expect } from 'chai';
import type { CustomKind, CustomVersion } from '../../../src/apis/customs/index.ts';
import type { ApiObject } from '../../../src/machinery/meta/index.ts';
import { convertAll, RemoteConversions, withConversions } from '../../../src/registry/remote-conversions.ts';
import { failureOf } from '../../support/failure.ts';

const versionOf = (version: string): CustomVersion =>
  ({ info: { group: 'g', version, kind: 'Thing' }, prune() {} }) as never; // what conversions ask of one
const [v1, v2] = [versionOf('v1'), versionOf('v2')];
const kind: CustomKind = {
  outline: { uid: 'u', generation: 1, name: 'things.g' },
  storage: v1,
  webhook: { client: {}, reviewVersions: ['v1'] },
} as never; // as above

/** An object of about a megabyte. */
const large = (name: string): ApiObject =>
  ({ apiVersion: 'g/v1', kind: 'Thing', metadata: { name }, data: 'x'.repeat(500_000) }) as ApiObject;

describe('conversions by webhooks', () => {
  let calls = 0;
  const conversions = () => {
    calls = 0;
    return new RemoteConversions(async ({ objects, desiredApiVersion }) => {
      calls++;
      return objects.map((object) => ({ ...object, apiVersion: desiredApiVersion }));
    });
  };
  const convert = (by: RemoteConversions, name: string): Promise<ApiObject> =>
    withConversions(() => {
      const object = large(name);
      by.convert(kind, object, v1, v2);
      return object;
    });

  it('remember results within a bound of bytes', async () => {
    const by = conversions();
    for (let at = 0; at < 40; at++) await convert(by, `a-${at}`);
    expect(calls).to.equal(40);
    await convert(by, 'a-39');
    expect(calls).to.equal(40);
    await convert(by, 'a-0');
    expect(calls).to.equal(41);
  });

  it('remember as much after many have asked for the same at once', async () => {
    const by = conversions();
    await Promise.all(Array.from({ length: 60 }, () => convert(by, 'same')));
    expect(calls).to.equal(1);
    for (let at = 0; at < 4; at++) await convert(by, `b-${at}`);
    const before = calls;
    for (let at = 0; at < 4; at++) await convert(by, `b-${at}`);
    expect(calls).to.equal(before);
  });

  it('fail for those who asked for the same at once, and for nobody else', async () => {
    calls = 0;
    const by = new RemoteConversions(async ({ objects }) => {
      calls++;
      if (objects.some(({ metadata }) => metadata.name === 'bad')) throw new Error('cannot convert it');
      return objects;
    });
    const outcome = (name: string) =>
      convert(by, name).then(
        () => 'converted',
        ({ message }: Error) => message,
      );
    expect(await Promise.all([outcome('bad'), outcome('bad')])).to.deep.equal([
      'cannot convert it',
      'cannot convert it',
    ]);
    expect(calls).to.equal(1);
    const both = convertAll(['good', 'bad'], (name) => by.convert(kind, large(name), v1, v2));
    expect(await Promise.all([outcome('good'), failureOf(both)])).to.have.nested.property('[0]', 'converted');
  });
});
