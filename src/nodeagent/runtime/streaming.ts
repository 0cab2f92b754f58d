/** A command to run in a container, its streams carried by the runtime's streaming server. */
export interface ExecStreamOptions {
  readonly containerId: string;
  /** Program and arguments, at least one. */
  readonly command: readonly string[];
  readonly tty: boolean;
  readonly stdin: boolean;
  readonly stdout: boolean;
  /** Not beside `tty`. */
  readonly stderr: boolean;
}

/** Streams of a container's first process. */
export interface AttachStreamOptions {
  readonly containerId: string;
  /** As the container was made with. */
  readonly tty: boolean;
  readonly stdin: boolean;
  readonly stdout: boolean;
  /** Not beside `tty`. */
  readonly stderr: boolean;
}

/** The sandbox whose ports are forwarded, and their numbers. */
export interface PortForwardOptions {
  readonly podSandboxId: string;
  readonly ports: readonly number[];
}

/** A command to be run in a container to its end, without a terminal. */
export interface ExecSyncOptions {
  readonly containerId: string;
  /** Program and arguments, at least one. */
  readonly command: readonly string[];
  /** Whole seconds at the runtime, rounded up; the command is killed then. No bound when left out. */
  readonly timeoutMs?: number | undefined;
  /** Stops waiting; whether the command goes on is the runtime's choice. */
  readonly signal?: AbortSignal | undefined;
}

/** Exit code and whole output of a command. */
export interface ExecSyncResult {
  /** 128 + N after signal N. */
  readonly exitCode: number;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
}
