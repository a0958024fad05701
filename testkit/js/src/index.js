export { Jitney } from './jitney.js';
export { Namespace } from './namespace.js';
export { JitneyError } from './http.js';
