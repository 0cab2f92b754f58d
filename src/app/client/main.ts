import { processIo } from '../program-io.ts';
import { runMain } from '../run-main.ts';
import { runClient } from './run-client.ts';

// The first word is the program's name, as in command lines of the other programs.
void runMain('ctl', () => runClient(process.argv.slice(3), processIo()));
