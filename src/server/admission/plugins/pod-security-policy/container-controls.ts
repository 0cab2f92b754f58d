import type { PlacedContainer, PodAnnotationNames } from '../../../../apis/core/index.ts';
import type { Container, Pod, SecurityContext } from '../../../../apis/types/core-v1.ts';
import type { HostPortRange, PodSecurityPolicySpec } from '../../../../apis/types/policy-v1beta1.ts';
import {
  type FieldError,
  type FieldPath,
  fieldPath,
  invalidValue,
} from '../../../../machinery/errors/index.ts';
import { copyOf } from '../../../../machinery/schema/index.ts';
import type { CapabilityControl, SelinuxControl } from './container-rights.ts';
import type { GroupControl, UserControl } from './id-ranges.ts';
import type { ProfileControl } from './profiles.ts';

/** The controls that a policy's fields were made into. */
export interface ContainerParts {
  readonly user: UserControl;
  readonly group: GroupControl;
  readonly selinux: SelinuxControl;
  readonly profiles: ProfileControl;
  readonly capabilities: CapabilityControl;
  readonly names: PodAnnotationNames;
}

/** What a policy says of each container. What a container leaves open, it has from its pod. */
export class ContainerControls {
  readonly #spec: PodSecurityPolicySpec;
  readonly #parts: ContainerParts;

  constructor(spec: PodSecurityPolicySpec, parts: ContainerParts) {
    this.#spec = spec;
    this.#parts = parts;
  }

  /** Fills in what the container and its pod leave open. */
  applyDefaults(pod: Pod, container: Container): void {
    const { user, group, selinux, profiles, capabilities, names } = this.#parts;
    const { readOnlyRootFilesystem, defaultAllowPrivilegeEscalation, allowPrivilegeEscalation } = this.#spec;
    const given = container.securityContext ?? {};
    const effective = { ...pod.spec.securityContext, ...withoutUnset(given) };
    const wanted: SecurityContext = {};
    if (effective.runAsUser === undefined) wanted.runAsUser = user.defaultUser;
    if (effective.runAsGroup === undefined) wanted.runAsGroup = group.defaultGroup;
    if (effective.seLinuxOptions === undefined && selinux.defaults !== undefined) {
      wanted.seLinuxOptions = copyOf(selinux.defaults);
    }
    if (user.marksNonRoot && effective.runAsNonRoot === undefined && effective.runAsUser === undefined) {
      wanted.runAsNonRoot = true;
    }
    const completed = capabilities.complete(given.capabilities);
    if (completed !== given.capabilities) wanted.capabilities = completed;
    if (readOnlyRootFilesystem === true && given.readOnlyRootFilesystem === undefined) {
      wanted.readOnlyRootFilesystem = true;
    }
    if (given.allowPrivilegeEscalation === undefined) {
      wanted.allowPrivilegeEscalation =
        defaultAllowPrivilegeEscalation ?? (allowPrivilegeEscalation === false ? false : undefined);
    }
    const added = withoutUnset(wanted);
    if (Object.keys(added).length > 0) container.securityContext = { ...given, ...added };
    const key = `${names.appArmorContainerPrefix}${container.name}`;
    if (profiles.defaultAppArmor !== '' && !pod.metadata.annotations?.[key]) {
      pod.metadata.annotations = { ...pod.metadata.annotations, [key]: profiles.defaultAppArmor };
    }
  }

  /** What is wrong with a container, in the order of the reference. */
  check(pod: Pod, { container, list, position }: PlacedContainer): FieldError[] {
    const { user, group, selinux, profiles, capabilities } = this.#parts;
    const containerPath = fieldPath('spec', list).index(position);
    const path = containerPath.child('securityContext');
    const given = container.securityContext ?? {};
    const { runAsUser, runAsGroup, runAsNonRoot, seLinuxOptions } = {
      ...pod.spec.securityContext,
      ...withoutUnset(given),
    };
    return [
      ...user.check(path, runAsUser, runAsNonRoot),
      // The path is release 1.20's.
      ...group.check(path, runAsGroup === undefined ? [] : [runAsGroup]),
      ...selinux.check(path.child('seLinuxOptions'), seLinuxOptions),
      ...profiles.checkAppArmor(pod, container),
      ...profiles.checkSeccomp(pod, container),
      ...this.#privilegeErrors(given, path),
      ...capabilities.check(path.child('capabilities'), given.capabilities),
      ...this.#portErrors(container, containerPath),
      ...this.#restrictionErrors(given, path),
    ];
  }

  #privilegeErrors({ privileged, procMount = 'Default' }: SecurityContext, path: FieldPath): FieldError[] {
    const errors: FieldError[] = [];
    if (privileged === true && this.#spec.privileged !== true) {
      errors.push(invalidValue(path.child('privileged'), true, 'Privileged containers are not allowed'));
    }
    const types = this.#spec.allowedProcMountTypes ?? [];
    if (!(types.length === 0 ? ['Default'] : types).includes(procMount)) {
      errors.push(invalidValue(path.child('procMount'), procMount, 'ProcMountType is not allowed'));
    }
    return errors;
  }

  #portErrors({ ports = [] }: Container, path: FieldPath): FieldError[] {
    const ranges = this.#spec.hostPorts ?? [];
    return ports.flatMap(({ hostPort = 0 }) => {
      if (hostPort <= 0 || ranges.some(({ min, max }) => hostPort >= min && hostPort <= max)) return [];
      const allowed = ranges.map(showPorts).join(',');
      const detail = `Host port ${hostPort} is not allowed to be used. Allowed ports: [${allowed}]`;
      return [invalidValue(path.child('hostPort'), hostPort, detail)];
    });
  }

  #restrictionErrors(given: SecurityContext, path: FieldPath): FieldError[] {
    const { readOnlyRootFilesystem: isReadOnly, allowPrivilegeEscalation: escalates } = given;
    const errors: FieldError[] = [];
    if (this.#spec.readOnlyRootFilesystem === true && isReadOnly !== true) {
      const may = isReadOnly === undefined ? ' may not be nil and' : '';
      const detail = `ReadOnlyRootFilesystem${may} must be set to true`;
      errors.push(invalidValue(path.child('readOnlyRootFilesystem'), isReadOnly, detail));
    }
    if (this.#spec.allowPrivilegeEscalation === false && escalates !== false) {
      const detail = 'Allowing privilege escalation for containers is not allowed';
      errors.push(invalidValue(path.child('allowPrivilegeEscalation'), escalates, detail));
    }
    return errors;
  }
}

const showPorts = ({ min, max }: HostPortRange): string => (min === max ? `${min}` : `${min}-${max}`);

/** The members that have a value: others must not hide what the pod says. */
function withoutUnset<T extends object>(value: T): Partial<T> {
  const set: Partial<T> = { ...value };
  for (const key in set) if (set[key] === undefined || set[key] === null) delete set[key];
  return set;
}
