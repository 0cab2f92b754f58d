import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { type BlockPodOptions, blockPod } from '../../../../src/nodeagent/admission/index.ts';
import { load } from '../options/start.ts';
import { asking, podNamed } from './subject.ts';

const { features } = load([]).config;

/** A pod whose container `c` has that profile. */
function withProfile(profile: string, status: Pod['status'] = { phase: 'Pending' }): Pod {
  const pod = podNamed('p', { containers: [asking({})] });
  const annotations = { 'container.apparmor.security.beta.orch.io/c': profile };
  return { ...pod, status, metadata: { ...pod.metadata, annotations } };
}

const block = (pod: Pod, more: Partial<BlockPodOptions> = {}): string | undefined =>
  blockPod({ pod, config: { features }, apparmorProfiles: new Set(['web']), dialect: orchDialect, ...more })
    ?.message;

describe('blockPod', () => {
  for (const profile of ['runtime/default', 'unconfined', 'localhost/web']) {
    it(`lets a pod with the profile ${profile} run`, () =>
      expect(block(withProfile(profile))).to.equal(undefined));
  }

  it('holds back profiles that are not there, and names that are none', () => {
    expect(
      blockPod({
        pod: withProfile('localhost/x'),
        config: { features },
        apparmorProfiles: new Set(),
        dialect: orchDialect,
      }),
    ).to.deep.equal({
      reason: 'AppArmor',
      message: 'Cannot enforce AppArmor: profile "x" is not loaded',
    });
    expect(block(withProfile('web'))).to.equal(
      'Cannot enforce AppArmor: invalid AppArmor profile name: "web"',
    );
  });

  it('holds back any profile where there is no AppArmor', () => {
    const apparmorProfiles = undefined;
    expect(block(withProfile('runtime/default'), { apparmorProfiles })).to.equal(
      'Cannot enforce AppArmor: AppArmor is not enabled on the host',
    );
    expect(block(withProfile('unconfined'), { apparmorProfiles })).to.equal(undefined);
    expect(block(podNamed('p'), { apparmorProfiles })).to.equal(undefined);
    const off = { features: { ...features, AppArmor: false } };
    expect(block(withProfile('runtime/default'), { config: off })).to.equal(
      'Cannot enforce AppArmor: AppArmor disabled by feature-gate',
    );
  });

  it('leaves a pod alone that runs', () => {
    expect(block(withProfile('localhost/x', { phase: 'Running' }))).to.equal(undefined);
  });
});
