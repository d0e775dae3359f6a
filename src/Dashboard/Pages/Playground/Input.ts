export type Input = Readonly<Record<string, unknown>>
