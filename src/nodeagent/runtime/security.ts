/** Whose namespace something runs in: its own, that of its pod, that of the node, or that of another container. */
export type NamespaceMode = 'pod' | 'container' | 'node' | 'target';

/** Namespaces of a pod or container. */
export interface NamespaceOptions {
  readonly network: NamespaceMode;
  readonly pid: NamespaceMode;
  readonly ipc: NamespaceMode;
  /** Container whose process namespace is joined when `pid` is `target`. */
  readonly targetId?: string | undefined;
}

/** A seccomp or AppArmor profile. */
export type SecurityProfile =
  | { readonly kind: 'runtime-default' }
  | { readonly kind: 'unconfined' }
  /** A profile of the node: a file for seccomp, the name of a loaded profile for AppArmor. */
  | { readonly kind: 'localhost'; readonly reference: string };

/** An SELinux label; parts left out are the runtime's choice. */
export interface SelinuxOptions {
  readonly user?: string | undefined;
  readonly role?: string | undefined;
  readonly type?: string | undefined;
  readonly level?: string | undefined;
}

/** What the security contexts of sandboxes and containers have in common. */
interface SecurityContext {
  readonly namespaces?: NamespaceOptions | undefined;
  readonly selinux?: SelinuxOptions | undefined;
  readonly runAsUser?: number | undefined;
  /** Only beside `runAsUser` or `runAsUsername`. */
  readonly runAsGroup?: number | undefined;
  readonly supplementalGroups?: readonly number[] | undefined;
  readonly isRootReadOnly?: boolean | undefined;
  readonly isPrivileged?: boolean | undefined;
  /** `unconfined` when left out. */
  readonly seccomp?: SecurityProfile | undefined;
  readonly apparmor?: SecurityProfile | undefined;
}

/** Under which rights the sandbox of a pod runs. */
export type SandboxSecurityContext = SecurityContext;

/** Under which rights a container runs. */
export interface ContainerSecurityContext extends SecurityContext {
  /** A name of the image's `/etc/passwd`; not beside `runAsUser`. */
  readonly runAsUsername?: string | undefined;
  /** Names without `CAP_`; `ALL` stands for every one. */
  readonly addCapabilities?: readonly string[] | undefined;
  readonly dropCapabilities?: readonly string[] | undefined;
  /** Whether processes can gain no more privileges than their parent has. */
  readonly noNewPrivileges?: boolean | undefined;
  /** Paths hidden from the container; none when left out. */
  readonly maskedPaths?: readonly string[] | undefined;
  /** Paths that the container can only read; none when left out. */
  readonly readOnlyPaths?: readonly string[] | undefined;
}
