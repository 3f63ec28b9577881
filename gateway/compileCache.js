// Keeps the code that Node compiles, so that the next startup takes half the processor time. Where the folder
// cannot be written, everything is compiled each time.
import { enableCompileCache } from 'node:module';

enableCompileCache(`${import.meta.dirname}/../node_modules/.cache/framegate`);
