class Axed < Formula
  desc "Look at ONNX models and edit their dynamic axes in a terminal"
  homepage "https://github.com/OWNER/REPO"
  url "https://github.com/OWNER/REPO/archive/refs/tags/v0.2.0.tar.gz"
  license "MIT"
  head "https://github.com/OWNER/REPO.git", branch: "main"

  depends_on "meson" => :build
  depends_on "ninja" => :build
  depends_on "pkgconf" => :build
  depends_on "python" => :build
  depends_on "graphviz"
  depends_on "ncurses"
  depends_on "protobuf-c"

  def install
    system "meson", "setup", "build", "-Db_lto=true", *std_meson_args
    system "ninja", "-C", "build", "product"
    system "meson", "install", "-C", "build", "--no-rebuild"
  end

  test do
    assert_match "batch", shell_output("#{bin}/axed show --demo")
  end
end
