/** A part of the console's own code could not be had: the network is gone, or the part went with an old release. */
export class PartMissing extends Error {}
