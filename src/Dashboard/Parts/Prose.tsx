export const Prose = ({ text }: { readonly text: string }) =>
  text.split("`").map((part, index) => index % 2 === 1 ? <code key={index}>{part}</code> : part)
