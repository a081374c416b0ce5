{
  description = "Look at ONNX models and edit their dynamic axes in a terminal";
  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";
  outputs =
    { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      each = f: nixpkgs.lib.genAttrs systems (system: f nixpkgs.legacyPackages.${system});
    in
    {
      packages = each (pkgs: {
        default = pkgs.stdenv.mkDerivation {
          pname = "axed";
          version = "0.2.0";
          src = ../..;
          nativeBuildInputs = with pkgs; [ meson ninja pkg-config protobufc python3 ];
          buildInputs = with pkgs; [ graphviz ncurses protobufc ];
          mesonBuildType = "release";
          ninjaFlags = [ "product" ];
          mesonInstallFlags = [ "--no-rebuild" ];
          meta.license = pkgs.lib.licenses.mit;
          meta.mainProgram = "axed";
        };
      });
    };
}
