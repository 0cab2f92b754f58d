/**
 * The client's commands: command line in, requests out, answers printed as the client of release 1.20 prints them. Every
 * command is a verb (`verb.ts`) that is loaded when it is called; shared parts are `resource/` (what arguments and
 * files mean) and `printers/`. It starts no server and knows the API through `client` only.
 *
 * Start-up time is a feature. Measured on a 2-core machine, as CPU time: the runtime alone 22 ms; `@oclif/core/command` 45 ms
 * more, which is why launchers call `runCtl` and leave oclif to what is no command of ours; all modules of an everyday command
 * 6 ms, from code that was compiled when they were built (`app/client/start.ts`); `node:https` 10 ms; the YAML library 4 ms, loaded
 * only when a file is no JSON.
 */
export { type CtlIo, createProcessIo, type Output, type StreamedInput, type TerminalSize } from './io.ts';
export { loadCtlProgram, runCtl } from './run.ts';
