export const matches = (wanted: string, texts: ReadonlyArray<string | null | undefined>): boolean => {
  const words = wanted.trim().toLocaleLowerCase()
  return words === "" || texts.some((text) => text?.toLocaleLowerCase().includes(words))
}
