export const eventWords = (): readonly never[] => [];
