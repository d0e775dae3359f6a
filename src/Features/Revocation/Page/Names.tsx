const maxShown = 12

export const Names = ({ label, names }: { readonly label: string; readonly names: ReadonlyArray<string> }) => {
  const more = names.length - maxShown
  return (
    <>
      <ul className="affected" aria-label={label}>
        {names.slice(0, maxShown).map((name, index) => (
          <li key={index}>
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <details className="more">
          <summary>{more.toLocaleString()} more</summary>
          <ul className="affected">
            {names.slice(maxShown).map((name, index) => (
              <li key={index}>
                <bdi>{name}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
