const endLength = 10

/** A text that is cut in its middle where there is no room for it. Assistive technology reads it in one piece. */
export const Middle = ({ text }: { readonly text: string }) => (
  <bdi className="middle" title={text}>
    <span aria-hidden="true">{text.slice(0, -endLength)}</span>
    <span aria-hidden="true">{text.slice(-endLength)}</span>
    <span className="visually-hidden">{text}</span>
  </bdi>
)
