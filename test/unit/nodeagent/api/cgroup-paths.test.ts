import { expect } from 'chai';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { cgroupPaths } from '../../../../src/nodeagent/api/stats/cgroup-paths.ts';
import { agentConfig } from '../agent-config.ts';
import { podOf } from '../container-config/pods.ts';

describe('cgroupPaths', () => {
  const cases: readonly (readonly [string, readonly string[], string])[] = [
    ['groups of folders', [], '/orchpods/besteffort/podu-1/id-1'],
    [
      'units of a remote runtime',
      ['--cgroup-driver=systemd'],
      '/orchpods.slice/orchpods-besteffort.slice/orchpods-besteffort-podu_1.slice/cri-containerd-id-1.scope',
    ],
    [
      'units of the engine',
      ['--cgroup-driver=systemd', '--container-runtime=legacyrt'],
      '/orchpods.slice/orchpods-besteffort.slice/orchpods-besteffort-podu_1.slice/docker-id-1.scope',
    ],
  ];
  for (const [what, flags, path] of cases) {
    it(`finds containers in ${what}`, () => {
      const paths = cgroupPaths(agentConfig(flags), orchDialect);
      expect(paths.container(paths.pod(podOf()) ?? '', 'id-1')).to.equal(path);
    });
  }

  it('knows no groups of pods that have none of their own', () => {
    const flags = ['--cgroups-per-qos=false', '--enforce-node-allocatable='];
    expect(cgroupPaths(agentConfig(flags), orchDialect).pod(podOf())).to.equal(undefined);
  });
});
