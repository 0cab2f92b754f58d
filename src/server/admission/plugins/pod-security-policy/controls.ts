import { everyContainer, type PlacedContainer, podAnnotationNames } from '../../../../apis/core/index.ts';
import type { Pod } from '../../../../apis/types/core-v1.ts';
import type { PodSecurityPolicy } from '../../../../apis/types/policy-v1beta1.ts';
import type { Dialect } from '../../../../machinery/dialect.ts';
import {
  type FieldError,
  fieldPath,
  forbiddenField,
  invalidValue,
} from '../../../../machinery/errors/index.ts';
import { copyOf } from '../../../../machinery/schema/index.ts';
import { ContainerControls } from './container-controls.ts';
import { createCapabilityControl, createSelinuxControl, type SelinuxControl } from './container-rights.ts';
import { createGroupControl, createUserControl, type GroupControl } from './id-ranges.ts';
import { createProfileControl, type ProfileControl } from './profiles.ts';
import { volumeErrors } from './volumes.ts';

/** Settings of the kernel that are bounded to the pod, in release 1.20. */
const safeSysctls = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
];

const securityPath = fieldPath('spec', 'securityContext');

/** What controls depend on beside their policy. */
export interface ControlContext {
  readonly dialect: Dialect;
  /** Enabled feature gates. */
  readonly gates: ReadonlySet<string>;
}

interface Parts {
  readonly selinux: SelinuxControl;
  readonly fsGroup: GroupControl;
  readonly supplementalGroups: GroupControl;
  readonly profiles: ProfileControl;
  readonly containers: ContainerControls;
}

/**
 * All that one policy says: the settings that a pod gets where it chooses none, and what is wrong with those that it has.
 * Order, paths and texts are those of release 1.20, `pkg/security/podsecuritypolicy`.
 */
export class PolicyControls {
  readonly name: string;
  readonly #spec: PodSecurityPolicy['spec'];
  readonly #parts: Parts;
  readonly #dialect: Dialect;
  readonly #gates: ReadonlySet<string>;

  private constructor(
    { metadata, spec }: PodSecurityPolicy,
    parts: Parts,
    { dialect, gates }: ControlContext,
  ) {
    this.name = metadata.name ?? '';
    this.#spec = spec;
    this.#parts = parts;
    this.#dialect = dialect;
    this.#gates = gates;
  }

  /** Undefined for a policy with a rule that cannot be followed: no pod is measured by it. */
  static of(policy: PodSecurityPolicy, context: ControlContext): PolicyControls | undefined {
    const { spec, metadata } = policy;
    const { dialect, gates } = context;
    const user = createUserControl(spec.runAsUser);
    const group = createGroupControl(gates.has('RunAsGroup') ? spec.runAsGroup : undefined);
    const selinux = createSelinuxControl(spec.seLinux);
    const fsGroup = createGroupControl(spec.fsGroup);
    const supplementalGroups = createGroupControl(spec.supplementalGroups);
    if (!user || !group || !selinux || !fsGroup || !supplementalGroups) return undefined;
    const names = podAnnotationNames(dialect);
    const profiles = createProfileControl(metadata.annotations ?? {}, names, dialect);
    const capabilities = createCapabilityControl(spec);
    const containers = new ContainerControls(spec, { user, group, selinux, profiles, capabilities, names });
    return new PolicyControls(
      policy,
      { selinux, fsGroup, supplementalGroups, profiles, containers },
      context,
    );
  }

  /** Fills in what the pod and its containers leave open. */
  applyDefaults(pod: Pod): void {
    const { selinux, fsGroup, supplementalGroups, profiles, containers } = this.#parts;
    const { spec, metadata } = pod;
    const given = spec.securityContext;
    const groups = given?.supplementalGroups === undefined ? supplementalGroups.defaultGroup : undefined;
    const ownGroup = given?.fsGroup === undefined ? fsGroup.defaultGroup : undefined;
    const labels = given?.seLinuxOptions === undefined ? selinux.defaults : undefined;
    if (groups !== undefined || ownGroup !== undefined || labels !== undefined) {
      spec.securityContext = {
        ...given,
        ...(groups !== undefined && { supplementalGroups: [groups] }),
        ...(ownGroup !== undefined && { fsGroup: ownGroup }),
        ...(labels !== undefined && { seLinuxOptions: copyOf(labels) }),
      };
    }
    const seccomp = profiles.seccompFor(pod);
    if (seccomp !== '') {
      const { seccompPod } = podAnnotationNames(this.#dialect);
      metadata.annotations = { ...metadata.annotations, [seccompPod]: seccomp };
    }
    const runtime = this.#spec.runtimeClass?.defaultRuntimeClassName;
    if (runtime !== undefined) spec.runtimeClassName ??= runtime;
    for (const { container } of this.#containersOf(pod)) containers.applyDefaults(pod, container);
  }

  /** What is wrong with the pod, in the order of the reference. */
  check(pod: Pod): FieldError[] {
    const { selinux, fsGroup, supplementalGroups, profiles, containers } = this.#parts;
    const { securityContext = {}, runtimeClassName } = pod.spec;
    const { fsGroup: ownGroup, supplementalGroups: groups = [], seLinuxOptions } = securityContext;
    const errors = [
      ...fsGroup.check(securityPath.child('fsGroup'), ownGroup === undefined ? [] : [ownGroup]),
      ...supplementalGroups.check(securityPath.child('supplementalGroups'), groups),
      ...profiles.checkPod(pod),
      ...selinux.check(securityPath.child('seLinuxOptions'), seLinuxOptions),
      ...this.#hostErrors(pod),
      ...this.#sysctlErrors(pod),
      ...volumeErrors(pod, this.#spec, this.#dialect),
    ];
    const runtimes = this.#spec.runtimeClass && (this.#spec.runtimeClass.allowedRuntimeClassNames ?? []);
    if (runtimes && runtimeClassName !== undefined) {
      if (!runtimes.includes('*') && !runtimes.includes(runtimeClassName)) {
        errors.push(invalidValue(fieldPath('spec', 'runtimeClassName'), runtimeClassName, ''));
      }
    }
    for (const placed of this.#containersOf(pod)) errors.push(...containers.check(pod, placed));
    return errors;
  }

  /** Ephemeral containers are dropped later where their gate is off. */
  #containersOf({ spec }: Pod): PlacedContainer[] {
    const hasEphemeral = this.#gates.has('EphemeralContainers');
    return everyContainer(spec).filter(({ list }) => hasEphemeral || list !== 'ephemeralContainers');
  }

  #hostErrors({ spec }: Pod): FieldError[] {
    return (['Network', 'PID', 'IPC'] as const).flatMap((what) => {
      const field = `host${what}` as const;
      if (spec[field] !== true || this.#spec[field] === true) return [];
      const shown = what === 'Network' ? 'network' : what;
      return [invalidValue(securityPath.child(field), true, `Host ${shown} is not allowed to be used`)];
    });
  }

  #sysctlErrors({ spec }: Pod): FieldError[] {
    const { forbiddenSysctls = [], allowedUnsafeSysctls = [] } = this.#spec;
    const path = fieldPath('pod', 'spec', 'securityContext', 'sysctls');
    return (spec.securityContext?.sysctls ?? []).flatMap(({ name }, index) => {
      const isForbidden = isListed(name, forbiddenSysctls);
      if (!isForbidden && (safeSysctls.includes(name) || isListed(name, allowedUnsafeSysctls))) return [];
      const what = isForbidden ? 'sysctl' : 'unsafe sysctl';
      return [forbiddenField(path.index(index), `${what} ${JSON.stringify(name)} is not allowed`)];
    });
  }
}

/** Whether a setting is in a list of names, and of beginnings that end in `*`. */
const isListed = (name: string, patterns: readonly string[]): boolean =>
  patterns.some((pattern) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
  );
