/** Starts, or stops, one broker for the whole run. */
declare const action: () => Promise<unknown>;
export default action;
