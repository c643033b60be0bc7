/** The version and the alias, `<id>Version` and `<id>Live`, by which a template releases a function. */
export const released = (id: string) => ({
  [`${id}Version`]: { Type: 'AWS::Lambda::Version', Properties: { FunctionName: { Ref: id } } },
  [`${id}Live`]: {
    Type: 'AWS::Lambda::Alias',
    Properties: {
      FunctionName: { Ref: id },
      FunctionVersion: { 'Fn::GetAtt': [`${id}Version`, 'Version'] },
      Name: 'live',
    },
  },
});
