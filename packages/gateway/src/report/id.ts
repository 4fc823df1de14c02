const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A name that no other report has. It is no secret: whoever may ask for one report may ask for all. */
export function createReportId(): string {
  let id = "lr_";
  for (let count = 0; count < 12; count++) id += letters[Math.floor(Math.random() * letters.length)];
  return id;
}
