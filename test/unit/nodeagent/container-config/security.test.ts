import { expect } from 'chai';
import { describe, it } from 'mocha';
import type {
  Container,
  Pod,
  PodSecurityContext,
  SecurityContext,
} from '../../../../src/apis/types/core-v1.ts';
import { createDialect, orchDialect } from '../../../../src/machinery/dialect.ts';
import {
  ContainerConfigError,
  type ContainerSecurityOptions,
  containerSecurity,
  mergeSecurityContext,
  podNamespaces,
  podSysctls,
  refuseSysctls,
  sandboxSecurity,
} from '../../../../src/nodeagent/container-config/index.ts';
import { containerOf, podOf } from './pods.ts';

const defaults: ContainerSecurityOptions = {
  imageUser: { userId: undefined, username: '' },
  extraGroups: [],
  seccompProfileRoot: '/profiles',
  dialect: orchDialect,
};

interface Given {
  readonly pod?: PodSecurityContext;
  readonly container?: SecurityContext;
  readonly spec?: Partial<Pod['spec']>;
  readonly annotations?: Record<string, string>;
  readonly options?: Partial<ContainerSecurityOptions>;
}

const securityOf = ({ pod = {}, container, spec = {}, annotations = {}, options = {} }: Given) =>
  containerSecurity(
    podOf({ ...spec, securityContext: pod }, { annotations }),
    containerOf(container ? { securityContext: container } : {}),
    { ...defaults, ...options },
  );

describe('mergeSecurityContext', () => {
  it('lets the container win where it says something', () => {
    const pod = {
      runAsUser: 1,
      runAsGroup: 2,
      runAsNonRoot: true,
      seLinuxOptions: { type: 'p' },
      fsGroup: 9,
    };
    const merged = mergeSecurityContext(pod, { runAsUser: 0, runAsNonRoot: false, privileged: true });
    expect(merged).to.deep.equal({
      runAsUser: 0,
      runAsGroup: 2,
      runAsNonRoot: false,
      privileged: true,
      seLinuxOptions: { type: 'p' },
    });
  });
});

describe('containerSecurity', () => {
  it('runs as the container, then the pod, then the image says, then as root', () => {
    const image = { userId: 7, username: '' };
    const users = [
      securityOf({ pod: { runAsUser: 1000 }, container: { runAsUser: 1001 }, options: { imageUser: image } }),
      securityOf({ pod: { runAsUser: 1000 }, options: { imageUser: image } }),
      securityOf({ options: { imageUser: image } }),
      securityOf({ options: { imageUser: { userId: undefined, username: 'web' } } }),
      securityOf({}),
    ];
    expect(users.map(({ runAsUser, runAsUsername }) => runAsUsername ?? runAsUser)).to.deep.equal([
      1001,
      1000,
      7,
      'web',
      0,
    ]);
  });

  it('adds groups of the pod and its volumes, each once', () => {
    const pod = { runAsGroup: 3000, supplementalGroups: [4000, 2000], fsGroup: 2000 };
    const { runAsGroup, supplementalGroups } = securityOf({ pod, options: { extraGroups: [5000, 4000] } });
    expect({ runAsGroup, supplementalGroups }).to.deep.equal({
      runAsGroup: 3000,
      supplementalGroups: [2000, 4000, 5000],
    });
  });

  it('passes capabilities, privilege, read-only root and escalation on', () => {
    const container = {
      capabilities: { add: ['NET_ADMIN'], drop: ['ALL'] },
      privileged: true,
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
    };
    expect(securityOf({ container })).to.deep.include({
      addCapabilities: ['NET_ADMIN'],
      dropCapabilities: ['ALL'],
      isPrivileged: true,
      isRootReadOnly: true,
      noNewPrivileges: true,
    });
    const escalations = [undefined, true].map((allowPrivilegeEscalation) =>
      securityOf({ container: { allowPrivilegeEscalation } }),
    );
    expect(escalations.map(({ noNewPrivileges }) => noNewPrivileges)).to.deep.equal([false, false]);
  });

  it('hides parts of /proc unless the container asks for all of it', () => {
    const { maskedPaths, readOnlyPaths } = securityOf({ container: { procMount: 'Default' } });
    expect(maskedPaths).to.include.members(['/proc/kcore', '/sys/firmware']);
    expect(readOnlyPaths).to.include.members(['/proc/sys', '/proc/sysrq-trigger']);
    expect(securityOf({ container: { procMount: 'Unmasked' } })).to.deep.include({
      maskedPaths: [],
      readOnlyPaths: [],
    });
  });

  it('joins the processes of the container that an ephemeral one looks at, where they are hidden', () => {
    const options = { targetContainerId: 'id7' };
    expect(securityOf({ options }).namespaces).to.deep.equal({
      network: 'pod',
      ipc: 'pod',
      pid: 'target',
      targetId: 'id7',
    });
    expect(securityOf({ options, spec: { shareProcessNamespace: true } }).namespaces?.pid).to.equal('pod');
  });

  describe('with runAsNonRoot', () => {
    const where = '(pod: "web_shop(u-1)", container: c)';
    const refused: readonly (readonly [string, Given, string])[] = [
      [
        'user 0, over the pod',
        { pod: { runAsNonRoot: true }, container: { runAsUser: 0 } },
        `container's runAsUser breaks non-root policy ${where}`,
      ],
      [
        'an image without a user',
        { container: { runAsNonRoot: true } },
        `container has runAsNonRoot and image will run as root ${where}`,
      ],
      [
        'an image of user 0',
        { container: { runAsNonRoot: true }, options: { imageUser: { userId: 0, username: '' } } },
        `container has runAsNonRoot and image will run as root ${where}`,
      ],
      [
        'an image whose user is a name',
        { container: { runAsNonRoot: true }, options: { imageUser: { userId: undefined, username: 'web' } } },
        `container has runAsNonRoot and image has non-numeric user (web), cannot verify user is non-root ${where}`,
      ],
    ];
    for (const [name, given, message] of refused) {
      it(`refuses ${name}`, () => {
        expect(() => securityOf(given))
          .to.throw(ContainerConfigError)
          .with.property('message', message);
      });
    }

    it('takes other users', () => {
      const pod = { runAsNonRoot: true };
      expect(securityOf({ pod, container: { runAsUser: 5 } }).runAsUser).to.equal(5);
      expect(securityOf({ pod, options: { imageUser: { userId: 6, username: '' } } }).runAsUser).to.equal(6);
    });
  });

  describe('with seccomp profiles', () => {
    const own = 'container.seccomp.security.alpha.orch.io/c';
    const ofPod = 'seccomp.security.alpha.orch.io/pod';
    const cases: readonly (readonly [string, Given, unknown])[] = [
      ['none', {}, undefined],
      ['the default', { pod: { seccompProfile: { type: 'RuntimeDefault' } } }, { kind: 'runtime-default' }],
      [
        "the container's field over all",
        { container: { seccompProfile: { type: 'Unconfined' } }, annotations: { [own]: 'runtime/default' } },
        { kind: 'unconfined' },
      ],
      [
        "the container's annotation over the pod's field",
        { pod: { seccompProfile: { type: 'Unconfined' } }, annotations: { [own]: 'localhost/a/b.json' } },
        { kind: 'localhost', reference: '/profiles/a/b.json' },
      ],
      [
        'a file of the node',
        { container: { seccompProfile: { type: 'Localhost', localhostProfile: 'none.json' } } },
        { kind: 'localhost', reference: '/profiles/none.json' },
      ],
      [
        "the pod's annotation last",
        { annotations: { [ofPod]: 'docker/default' } },
        { kind: 'runtime-default' },
      ],
    ];
    for (const [name, given, expected] of cases) {
      it(`takes ${name}`, () => expect(securityOf(given).seccomp).to.deep.equal(expected));
    }

    it('refuses what is no profile or leads elsewhere', () => {
      const refused = [
        { annotations: { [ofPod]: 'loose' } },
        { annotations: { [own]: 'localhost/../x' } },
        { container: { seccompProfile: { type: 'Localhost', localhostProfile: '../x' } } },
      ];
      for (const given of refused) {
        expect(() => securityOf(given)).to.throw(ContainerConfigError, 'invalid seccomp profile');
      }
    });
  });

  it('takes AppArmor profiles from the annotation of either dialect', () => {
    const profileOf = (value: string) =>
      securityOf({ annotations: { 'container.apparmor.security.beta.orch.io/c': value } }).apparmor;
    expect(['runtime/default', 'unconfined', 'localhost/x', ''].map(profileOf)).to.deep.equal([
      { kind: 'runtime-default' },
      { kind: 'unconfined' },
      { kind: 'localhost', reference: 'x' },
      undefined,
    ]);
    expect(() => profileOf('x')).to.throw(ContainerConfigError, 'invalid AppArmor profile name: "x"');
    const annotations = { 'container.apparmor.security.beta.kubernetes.io/c': 'unconfined' };
    const given = { annotations, options: { dialect: createDialect('kubernetes') } };
    expect(securityOf(given).apparmor).to.deep.equal({ kind: 'unconfined' });
  });
});

describe('podNamespaces', () => {
  it("are the pod's own unless it asks for those of the node, and hide processes unless shared", () => {
    const namespacesOf = (spec: Partial<Pod['spec']>) => {
      const { network, ipc, pid } = podNamespaces(podOf(spec));
      return [network, ipc, pid];
    };
    expect(namespacesOf({})).to.deep.equal(['pod', 'pod', 'container']);
    expect(namespacesOf({ shareProcessNamespace: true })).to.deep.equal(['pod', 'pod', 'pod']);
    expect(namespacesOf({ hostNetwork: true, hostIPC: true, hostPID: true })).to.deep.equal([
      'node',
      'node',
      'node',
    ]);
  });
});

describe('sandboxSecurity', () => {
  const sandboxOf = (spec: Partial<Pod['spec']>) => sandboxSecurity(podOf(spec), [7]);

  it('is that of the pod, confined by default', () => {
    const securityContext = { runAsUser: 1, runAsGroup: 2, fsGroup: 3, seLinuxOptions: { level: 's0' } };
    expect(sandboxOf({ securityContext })).to.deep.equal({
      namespaces: { network: 'pod', ipc: 'pod', pid: 'container' },
      isPrivileged: false,
      seccomp: { kind: 'runtime-default' },
      runAsUser: 1,
      runAsGroup: 2,
      supplementalGroups: [3, 7],
      selinux: { level: 's0' },
    });
  });

  it('is privileged when a container is, init containers included', () => {
    const privileged: Container = containerOf({ name: 'i', securityContext: { privileged: true } });
    expect(sandboxOf({ initContainers: [privileged] }).isPrivileged).to.equal(true);
  });

  it('has no group without a user', () => {
    expect(sandboxOf({ securityContext: { runAsGroup: 2 } }).runAsGroup).to.equal(undefined);
  });
});

describe('refuseSysctls', () => {
  const refusalOf = (name: string, spec: Partial<Pod['spec']> = {}, allowed: readonly string[] = []) =>
    refuseSysctls(podOf({ ...spec, securityContext: { sysctls: [{ name, value: '1' }] } }), allowed)?.message;

  it('takes safe ones and allowed ones', () => {
    expect(refusalOf('kernel.shm_rmid_forced')).to.equal(undefined);
    expect(refusalOf('kernel.msgmax', {}, ['kernel.msg*'])).to.equal(undefined);
    expect(refusalOf('kernel.sem', {}, ['kernel.sem'])).to.equal(undefined);
    expect(refuseSysctls(podOf(), [])).to.equal(undefined);
  });

  it('refuses others, as recorded', () => {
    const forbidden = 'forbidden sysctl: "kernel.msgmax" not whitelisted';
    expect(refusalOf('kernel.msgmax')).to.equal(forbidden);
    expect(refusalOf('kernel.msgmax', {}, ['kernel.shm*', 'kernel.msgma'])).to.equal(forbidden);
  });

  it('refuses those of a namespace that the pod shares with the node, as recorded', () => {
    expect(refusalOf('net.ipv4.tcp_syncookies', { hostNetwork: true })).to.equal(
      'forbidden sysctl: "net.ipv4.tcp_syncookies" not allowed with host net enabled',
    );
    expect(refusalOf('kernel.shm_rmid_forced', { hostIPC: true })).to.equal(
      'forbidden sysctl: "kernel.shm_rmid_forced" not allowed with host ipc enabled',
    );
    expect(refusalOf('net.ipv4.tcp_syncookies', { hostIPC: true })).to.equal(undefined);
  });
});

describe('podSysctls', () => {
  it('are by name', () => {
    const sysctls = [{ name: 'net.ipv4.ip_local_port_range', value: '20000 20100' }];
    expect(podSysctls(podOf({ securityContext: { sysctls } }))).to.deep.equal({
      'net.ipv4.ip_local_port_range': '20000 20100',
    });
    expect(podSysctls(podOf())).to.deep.equal({});
  });
});
