/** Builds the version and alias of a function, with the logical ids `<id>Version` and `<id>Live`. */
export const buildAliasResources = (id: string) => ({
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
