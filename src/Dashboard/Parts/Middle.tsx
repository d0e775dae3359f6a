const endLength = 10

/** A text that is cut in its middle where there is no room for it. */
export const Middle = ({ text }: { readonly text: string }) => (
  <bdi className="middle" title={text}>
    <span>{text.slice(0, -endLength)}</span>
    <span>{text.slice(-endLength)}</span>
  </bdi>
)
