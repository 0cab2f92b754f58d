import { updateObject } from '../../../../src/registry/index.ts';
import { expectStatus } from '../../../support/expect-status.ts';
import { alice, TestRegistry } from '../../../support/registry.ts';

describe('a configuration with a value that is none', () => {
  let registry: TestRegistry;
  beforeEach(async () => {
    registry = await TestRegistry.open({ recordsOwners: true });
  });
  afterEach(() => registry[Symbol.asyncDispose]());

  const apply = (version: string, manager: string, spec: object) =>
    updateObject(registry.served(`coordination.orch.io/${version}/leases`), {
      namespace: 'default',
      name: 'l',
      subresource: '',
      manager,
      options: { user: alice, isDryRun: false },
      change: {
        kind: 'apply',
        isForced: true,
        bytes: Buffer.from(
          JSON.stringify({
            apiVersion: `coordination.orch.io/${version}`,
            kind: 'Lease',
            metadata: { name: 'l' },
            spec,
          }),
        ),
      },
    });
  const misfit =
    'unable to convert unstructured object to coordination.orch.io/v1beta1, Kind=Lease: ' +
    'parsing time "x" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "x" as "2006"';
  const refusal = (message: string) => ({ code: 500, message });

  it('is refused where it is decoded', async () => {
    await apply('v1beta1', 'm', { holderIdentity: 'a' });
    const wanted = refusal(`failed to convert new object to proper version: ${misfit}`);
    await expectStatus(() => apply('v1beta1', 'm', { holderIdentity: 'a', renewTime: 'x' }), wanted);
  });

  it('is refused where owners in another version need the object', async () => {
    await apply('v1', 'other', { holderIdentity: 'a' });
    const wanted = refusal(`failed to convert new object: ${misfit}`);
    await expectStatus(() => apply('v1beta1', 'm', { renewTime: 'x' }), wanted);
  });

  it('is refused where fields are given up that were applied in another version', async () => {
    await apply('v1', 'm', { holderIdentity: 'a' });
    const wanted = refusal(
      `failed to prune fields: failed to convert merged object to last applied version: ${misfit}`,
    );
    await expectStatus(() => apply('v1beta1', 'm', { renewTime: 'x' }), wanted);
  });

  it('is refused where a list has an item twice that has keys in another version', async () => {
    const applyModes = (version: string, manager: string, volumeLifecycleModes: string[]) =>
      updateObject(registry.served(`storage.orch.io/${version}/csidrivers`), {
        namespace: '',
        name: 'd',
        subresource: '',
        manager,
        options: { user: alice, isDryRun: false },
        change: {
          kind: 'apply',
          isForced: true,
          bytes: Buffer.from(
            JSON.stringify({
              apiVersion: `storage.orch.io/${version}`,
              kind: 'CSIDriver',
              metadata: { name: 'd' },
              spec: { volumeLifecycleModes },
            }),
          ),
        },
      });
    await applyModes('v1', 'other', ['Persistent']);
    const problem = '.spec.volumeLifecycleModes: duplicate entries for key [="Persistent"]';
    await expectStatus(
      () => applyModes('v1beta1', 'm', ['Persistent', 'Persistent']),
      refusal(`failed to convert new object: ${problem}`),
    );
  });
});
